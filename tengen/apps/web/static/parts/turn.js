// A turn that is put together step by step, from the choices that the server lists.

export class Turn {
  constructor(stage) {
    this.stages = [stage];
    this.path = [];
    this.start();
  }

  get stage() {
    return this.stages.at(-1);
  }

  get choices() {
    return this.stage.choices;
  }

  // Whether choices differ in the pieces that they take.
  get takes() {
    return this.choices.some((choice) => choice.taken);
  }

  start() {
    const largest = this.choices.filter((choice) => choice.taken);
    largest.sort((one, other) => other.taken.length - one.taken.length);
    this.selected = largest[0] ?? null;
    this.warned = null; // the choice that has to be confirmed, as it gives something up
  }

  // The choices that begin with the path so far, each with the paths that do.
  matching(path = this.path) {
    const begins = (each) => path.every((name, index) => each[index] === name);
    return this.choices
      .map((choice) => ({ choice, paths: choice.paths.filter(begins) }))
      .filter(({ paths }) => paths.length);
  }

  next(path = this.path) {
    const names = this.matching(path).flatMap(({ paths }) => paths.map((each) => each[path.length]));
    return new Set(names.filter((name) => name !== undefined));
  }

  lit() {
    if (this.takes) return new Set(this.choices.flatMap((choice) => choice.taken ?? []));
    const lit = this.next();
    if (this.path.length) for (const name of this.next([])) lit.add(name);
    return lit;
  }

  // The places that go on with a turn that has begun.
  goingOn() {
    return this.takes || !this.path.length ? new Set() : this.next();
  }

  marked() {
    return new Set(this.takes ? this.selected?.taken ?? [] : this.path);
  }

  // Whether pointing at a place does something.
  reacts(name) {
    return this.lit().has(name) || this.path.at(-1) === name;
  }

  // Point at a place; return the action that this completes, or null.
  point(name) {
    this.warned = null;
    if (this.takes) {
      this.toggle(name);
      return null;
    }
    if (this.path.at(-1) === name && !this.next().has(name)) {
      this.path.pop();
      return null;
    }
    if (!this.next().has(name)) {
      if (!this.next([]).has(name)) return null;
      this.path = [];
    }
    this.path.push(name);
    const exact = this.matching().filter(({ paths }) => paths.some((each) => each.length === this.path.length));
    return exact.length ? exact[0].choice.action : null;
  }

  // Drag from one place to another; return the action that this completes, or null.
  drag(from, to) {
    const head = this.path.at(-1) === from ? this.path : [from];
    if (!this.next(head).has(to)) return null;
    this.path = head;
    return this.point(to);
  }

  // Take a piece or leave it: select the nearest choice that differs at this place.
  toggle(name) {
    const now = new Set(this.selected?.taken ?? []);
    const distance = (choice) => {
      const other = new Set(choice.taken);
      return [...now].filter((each) => !other.has(each)).length + [...other].filter((each) => !now.has(each)).length;
    };
    const differing = this.choices.filter((choice) => choice.taken && choice.taken.includes(name) !== now.has(name));
    differing.sort((one, other) => distance(one) - distance(other));
    if (differing.length) this.selected = differing[0];
  }

  advance(stage) {
    this.stages.push(stage);
    this.path = [];
    this.start();
  }

  get begun() {
    return this.path.length > 0 || this.stages.length > 1;
  }

  // Take the last step back.
  back() {
    if (this.path.length) this.path = [];
    else if (this.stages.length > 1) this.stages.pop();
    this.start();
  }
}
