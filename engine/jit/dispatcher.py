"""The dispatcher of kernels: only what Python calls is compiled to machine code of its own.

Most kernels are called by other kernels alone and become part of them. Numba would give each a wrapper for
Python, optimise it, translate it to machine code and store that, which takes half of the time.

This relies on inner parts of numba, and so does `cache.KernelCache`. They are used with the versions for
which they were tested. With others, `dispatcher_of` makes one of numba's own, which compiles the same in more
time.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any

import numba
from numba.core.registry import CPUDispatcher

# Options of numba. Nothing calls kernels from C, so that they need no wrappers for it.
OPTIONS = {"nopython": True, "nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
TESTED = {(0, 68)}  # versions of numba, major and minor, whose inner parts are used
_code = attrgetter("library")  # of a compiled version of a kernel


def uses_inner_parts() -> bool:
    """Return whether the inner parts of this version of numba are known."""
    return numba.version_info.short in TESTED


class _Context(threading.local):
    """What a thread compiles: a kernel that Python calls, or one for another kernel."""

    inner = False


_context = _Context()


@contextlib.contextmanager
def _inner(value: bool) -> Iterator[None]:
    """Compile kernels for other kernels, or for Python, in this context."""
    before, _context.inner = _context.inner, value
    try:
        yield
    finally:
        _context.inner = before


def dispatcher_of(function: Callable[..., Any]) -> Any:
    """Return a dispatcher that compiles `function` for the types of its arguments."""
    if not uses_inner_parts():
        return numba.jit(**OPTIONS)(function)
    return KernelDispatcher(function)


def is_inner(version: Any) -> bool:
    """Return whether a compiled version of a kernel has no machine code and is only a part of others."""
    return bool(getattr(_code(version), "inner", False))


if uses_inner_parts():
    from llvmlite import binding as llvm
    from numba.core.codegen import JITCodeLibrary, RuntimeLinker
    from numba.core.compiler import Flags
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.sigutils import normalize_signature
    from numba.core.types.misc import unliteral

    from tengen.engine.jit.inference import QuickCompiler

    _inner_code: dict[str, Any] = {}  # libraries of inner kernels, by symbol

    class _Library(JITCodeLibrary):  # type: ignore[misc]
        """The code of a kernel for Python, with that of all kernels that it calls.

        Where a kernel calls what is still being compiled, as recursion does, numba leaves the address to be
        found when machine code is loaded. Inner kernels have none, so that their code is linked now.
        """

        def _optimize_final_module(self) -> None:
            prefix, resolved = RuntimeLinker.PREFIX, set[str]()
            while names := self._unresolved(prefix) - resolved:
                for name in sorted(names):
                    here = {function.name for function in self._final_module.functions}
                    if not (name in here or name in _inner_code):
                        continue
                    address = f'@"{prefix}{name}" = linkonce_odr constant ptr @"{name}"'
                    self._final_module.link_in(llvm.parse_assembly(f'declare void @"{name}"()\n{address}'))
                    if name not in here:
                        module = _inner_code[name]._get_module_for_linking()
                        self._final_module.link_in(module, preserve=True)
                resolved |= names
            super()._optimize_final_module()

        def _unresolved(self, prefix: str) -> set[str]:
            """Return the symbols whose addresses are still to be set."""
            variables = (variable.name for variable in self._final_module.global_variables)
            return {name.removeprefix(prefix) for name in variables if name.startswith(prefix)}

    class _InnerLibrary(JITCodeLibrary):  # type: ignore[misc]
        """The code of a kernel for other kernels: they link it and optimise it as a part of their own."""

        inner = True

        def _optimize_final_module(self) -> None:
            pass

        def _finalize_final_module(self) -> None:
            self._finalize_dynamic_globals()
            self._finalized = True

    class _InnerFlags(Flags):  # type: ignore[misc]
        """How inner kernels are compiled: they have no wrapper, and no machine code."""

        def __init__(self, flags: Flags) -> None:
            super().__init__(flags)
            self.no_compile = self.no_cpython_wrapper = True

        def get_mangle_string(self) -> str:
            """Return the part of symbols that tells options apart; callers must find inner kernels too."""
            named = Flags(self)
            named.discard("no_compile")
            named.discard("no_cpython_wrapper")
            return str(named.get_mangle_string())

    class _KernelCompiler(QuickCompiler):  # type: ignore[misc]
        """Numba's compiler, which leaves inner kernels without a wrapper and without machine code."""

        def __init__(
            self, typing: Any, target: Any, library: Any, args: Any, result: Any, flags: Any, types: Any
        ) -> None:
            if _context.inner:
                flags = _InnerFlags(flags)
                library = _InnerLibrary(target.codegen(), "inner")
            else:
                library = _Library(target.codegen(), "kernel")
                library.enable_object_caching()
            super().__init__(typing, target, library, args, result, flags, types)

    class KernelDispatcher(CPUDispatcher):  # type: ignore[misc]
        """The compiled versions of one kernel, by the types of its arguments."""

        def __init__(self, function: Callable[..., Any]) -> None:
            super().__init__(py_func=function, targetoptions=dict(OPTIONS), pipeline_class=_KernelCompiler)

        def get_call_template(self, args: Any, kws: Any) -> Any:
            """Return how another kernel calls this one, and compile it if needed (as numba's does).

            Literals are values like others here, so that a kernel is not compiled for each of them; but where
            a kernel calls itself, numba looks for it by the types that it is called with.
            """
            kinds = args if self.is_compiling else tuple(map(unliteral, args))
            with _inner(True):
                return super().get_call_template(kinds, kws)

        def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
            """Compile the kernel for a call from Python."""
            with _inner(False):
                return super()._compile_for_args(*args, **kws)

        def compile(self, sig: Any) -> Any:
            """Return the version for the argument types `sig`: made, loaded from disk, or known already."""
            kinds = tuple(normalize_signature(sig)[0])
            with global_compiler_lock:  # else another thread may put the inner version back before we compile
                version = self.overloads.get(kinds)
                if version and is_inner(version) and not _context.inner:
                    del self.overloads[kinds]  # Python needs machine code
                return super().compile(sig) or self.overloads[kinds].entry_point

        def add_overload(self, version: Any) -> None:
            """Keep a compiled version."""
            if is_inner(version):
                name = object()  # by which callers find it
                version = version._replace(entry_point=name)
                self.targetctx.insert_user_function(name, version.fndesc, [_code(version)])
                self.overloads[tuple(version.signature.args)] = version
                _inner_code[version.fndesc.mangled_name] = _code(version)
                return
            # Numba sets the environment of this kernel only, not those of inner ones.
            for environment in version._find_referenced_environments():
                _code(version).codegen.set_env(environment.env_name, environment)
            super().add_overload(version)
