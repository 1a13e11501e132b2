// The part of StrykerJS that the mutation tests use; it is installed only by `npm run mutation`.
declare module '@stryker-mutator/core' {
  interface MutantResult {
    readonly fileName: string;
    readonly status: string;
    readonly replacement?: string;
    readonly mutatorName: string;
    readonly location: { readonly start: Place; readonly end: Place };
  }
  interface Place {
    readonly line: number;
    readonly column: number;
  }
  export class Stryker {
    constructor(options: Readonly<Record<string, unknown>>);
    runMutationTest(): Promise<MutantResult[]>;
  }
}
