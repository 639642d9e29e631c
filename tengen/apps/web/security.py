"""Who may talk to the server: checks of Host, Origin and token, headers of answers, room for connections.

The server is meant for the person at this machine. A page of another site must not reach it: neither by a
name that is bound to this address (DNS rebinding: Host is checked), nor by a socket (Origin is checked). And
nobody keeps others out by connections that he holds.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import secrets
import socket
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

COOKIE = "tengen"
LOOPBACK = ("127.0.0.1", "::1", "localhost")
MAX_VISITORS = 256  # connections that are no socket of a page: browsers hold some for their next requests
EVERY_ADDRESS = ("0.0.0.0", "::")  # noqa: S104 - a name to compare with
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
        " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


def is_loopback(host: str) -> bool:
    """Return whether only this machine reaches the address `host`."""
    address = _address(host)
    return host == "localhost" or (
        address is not None and (getattr(address, "ipv4_mapped", None) or address).is_loopback
    )


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return a numeric address, which no foreign site can be; None for a name."""
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


@dataclass(frozen=True)
class Gate:
    """Who may talk to a server."""

    host: str  # the address to which it is bound
    port: int
    # What a page must know; empty if the server is bound to a loopback address
    token: str = field(default="", repr=False)

    @classmethod
    def of(cls, host: str, port: int) -> Gate:
        """Return the gate of an address, with a new token unless only this machine reaches it."""
        return cls(host, port, "" if is_loopback(host) else secrets.token_urlsafe(24))

    @property
    def url(self) -> str:
        """The address of the page."""
        shown = socket.gethostname() if self.host in EVERY_ADDRESS else self.host
        name = f"[{shown}]" if ":" in shown else shown
        return f"http://{name}:{self.port}/" + (f"?token={self.token}" if self.token else "")

    def refusal(self, headers: Mapping[str, str], query: str, is_socket: bool) -> str:
        """Return why a request with these headers, by name in lower case, is refused; empty if it is not.

        One that opens a socket needs an Origin.
        """
        host = headers.get("host", "")
        if not self._serves(host):
            return "unknown host"
        origin = headers.get("origin")
        if origin is None and is_socket:
            return "expected an Origin"
        if origin is not None and origin != f"http://{host}":
            return "foreign origin"
        if self.token and not (
            self.knows_token(headers) or self._matches(parse_qs(query).get("token", [""])[0])
        ):
            return "expected the token that the server has printed"
        return ""

    def _serves(self, host: str) -> bool:
        """Return whether a Host header names this server."""
        name, _, port = host.rpartition(":")
        if not name or port != str(self.port):
            name, port = host, "80"
        if port != str(self.port):
            return False
        name = name.removeprefix("[").removesuffix("]").lower()
        if self.host in EVERY_ADDRESS:
            return name in (*LOOPBACK, socket.gethostname().lower()) or _address(name) is not None
        return name == self.host.lower() or (is_loopback(self.host) and name in LOOPBACK)

    def knows_token(self, headers: Mapping[str, str]) -> bool:
        """Return whether a cookie has the token."""
        try:
            cookie = SimpleCookie(headers.get("cookie", ""))
        except CookieError:
            return False
        return COOKIE in cookie and self._matches(cookie[COOKIE].value)

    def _matches(self, given: str) -> bool:
        return bool(self.token) and hmac.compare_digest(given.encode(), self.token.encode())

    @property
    def cookie(self) -> str:
        """The value of Set-Cookie after the token was given."""
        return f"{COOKIE}={self.token}; HttpOnly; SameSite=Strict; Path=/"


def has_room(present: Collection[str], address: str, most: int) -> bool:
    """Return whether one more connection from `address` is admitted.

    A quarter is kept for this machine, and no other may have more than a quarter.
    """
    if is_loopback(address):
        return len(present) < most
    foreign = [other for other in present if not is_loopback(other)]
    return len(foreign) < most * 3 // 4 and foreign.count(address) < most // 4


class Visitors:
    """The connections that are no socket of a page. If there is no room for another one, the oldest ends."""

    def __init__(self) -> None:
        self._addresses: dict[asyncio.Transport, str] = {}  # oldest first

    def admit(self, visitor: asyncio.Transport, address: str) -> None:
        """Add a connection from `address`."""
        while not has_room(self._addresses.values(), address, MAX_VISITORS):
            own = [other for other, theirs in self._addresses.items() if theirs == address]
            foreign = [other for other, theirs in self._addresses.items() if not is_loopback(theirs)]
            oldest = (own or foreign or list(self._addresses))[0]
            self.leave(oldest)
            oldest.abort()
        self._addresses[visitor] = address

    def leave(self, visitor: asyncio.Transport) -> None:
        """Remove a connection."""
        self._addresses.pop(visitor, None)
