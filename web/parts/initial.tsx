// The round sign with an initial before a person's name.
export function Initial({ name }: { readonly name: string }) {
  const first = String.fromCodePoint(name.codePointAt(0) ?? 0x20);
  return (
    <span className="person-initial" aria-hidden="true">
      {first.toUpperCase()}
    </span>
  );
}
