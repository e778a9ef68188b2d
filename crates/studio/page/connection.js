// The WebSocket: requests with answers, messages, and connecting again.

/** Time until the page connects again, in ms. */
const AGAIN = 1000;

/** Time until an interval of reports or a change of time ends at the latest, in ms. */
const LATEST = 600_000;

export class Connection {
  /**
   * @param {(message: any) => void} onMessage
   * @param {(status: string) => void} onStatus
   */
  constructor(onMessage, onStatus) {
    this.onMessage = onMessage;
    this.onStatus = onStatus;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.id = 0;
    /** @type {Map<number, (message: any) => void>} */
    this.waiting = new Map();
    this.connect();
  }

  connect() {
    const address = new URL("socket", location.href);
    address.protocol = "ws:";
    address.hash = "";
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.onopen = () => this.onStatus("");
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      const wanted = this.waiting.get(message.id);
      if (wanted) {
        this.waiting.delete(message.id);
        wanted(message);
      } else {
        this.onMessage(message);
      }
    };
    socket.onclose = ({ reason }) => {
      for (const wanted of this.waiting.values()) wanted({ type: "refused", error: "the connection has ended" });
      this.waiting.clear();
      this.onStatus(reason || "memonet studio has ended, or 8 pages are open; connecting again");
      setTimeout(() => this.connect(), AGAIN);
    };
  }

  /**
   * The text of a drawing; null if there is none.
   * @param {string} name
   * @returns {Promise<string | null>}
   */
  async figure(name) {
    const answer = await fetch(`figures/${name}`);
    return answer.ok ? answer.text() : null;
  }

  /** @param {Record<string, any>} request a request without an answer */
  send(request) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(request));
  }

  /**
   * @param {Record<string, any>} request
   * @returns {Promise<any>} its answer
   */
  ask(request) {
    if (this.socket?.readyState !== WebSocket.OPEN) {
      return Promise.resolve({ type: "refused", error: "there is no connection" });
    }
    const id = ++this.id;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.send({ ...request, id });
      setTimeout(() => this.waiting.delete(id), LATEST);
    });
  }
}
