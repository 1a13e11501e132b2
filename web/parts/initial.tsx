// Round badge with the person's initial, shown before the name.
export function Initial({ name }: { readonly name: string }) {
  const first = String.fromCodePoint(name.codePointAt(0) ?? 0x20);
  return (
    <span className="person-initial" aria-hidden="true">
      {first.toUpperCase()}
    </span>
  );
}
