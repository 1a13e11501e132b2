// Computes answers one at a time. Equal questions that arrive during a computation share a later answer, so that no
// answer is older than its question.

export class OneAtATime<Question, Answer> {
  readonly #make: (question: Question) => Promise<Answer>;
  /** Answers that have not begun, in order. */
  readonly #next = new Map<Question, Promise<Answer>>();
  #last: Promise<unknown> | null = null;

  constructor(make: (question: Question) => Promise<Answer>) {
    this.#make = make;
  }

  ask(question: Question): Promise<Answer> {
    const asked = this.#next.get(question);
    if (asked) return asked;
    if (!this.#last) return this.#begun(this.#make(question));
    const answer = this.#last.then(() => {
      this.#next.delete(question);
      return this.#make(question);
    });
    this.#next.set(question, answer);
    return this.#begun(answer);
  }

  /** Makes the next answer wait until this one has succeeded or failed. */
  #begun(answer: Promise<Answer>): Promise<Answer> {
    const over: Promise<void> = answer.then(
      () => this.#over(over),
      () => this.#over(over),
    );
    this.#last = over;
    return answer;
  }

  #over(last: Promise<unknown>): void {
    if (this.#last === last) this.#last = null;
  }
}
