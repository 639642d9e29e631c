// The socket to the server: requests with replies, events, and connecting again.

import { t } from "./words.js";

const CUT = t("There is no connection to the server.");

export class Link {
  constructor() {
    this.pending = new Map();
    this.number = 0;
    this.delay = 250;
    this.connect(); // at once, while the rest of the page is made
  }

  start(onEvent, onOpen, onClose) {
    Object.assign(this, { onEvent, onOpen, onClose });
    if (this.socket.readyState === WebSocket.OPEN) this.onOpen();
  }

  connect() {
    const socket = new WebSocket(`ws://${location.host}/socket`);
    this.socket = socket;
    socket.onopen = () => {
      this.delay = 250;
      this.onOpen?.();
    };
    socket.onmessage = (message) => this.take(JSON.parse(message.data));
    socket.onclose = () => {
      for (const { reject } of this.pending.values()) reject(new Error(CUT));
      this.pending.clear();
      this.onClose?.();
      setTimeout(() => this.connect(), this.delay);
      this.delay = Math.min(5000, this.delay * 2);
    };
  }

  take(message) {
    if (!("id" in message)) {
      this.onEvent(message);
      return;
    }
    const waiting = this.pending.get(message.id);
    this.pending.delete(message.id);
    if (!waiting) return;
    if ("error" in message) waiting.reject(new Error(message.error));
    else waiting.resolve(message.ok);
  }

  ask(command, fields = {}) {
    if (this.socket.readyState !== WebSocket.OPEN) return Promise.reject(new Error(CUT));
    const id = ++this.number;
    this.socket.send(JSON.stringify({ id, do: command, ...fields }));
    return new Promise((resolve, reject) => this.pending.set(id, { resolve, reject }));
  }
}
