declare global {
  // Of ECMAScript 2026, which Node has and TypeScript does not name yet.
  interface JSON {
    rawJSON(text: string): object
    parse(
      text: string,
      reviver: (name: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown
  }
}

/**
 * JSON text that is forwarded unchanged. Inside other JSON its numbers stay exact, such as `1.10` and
 * `12345678901234567890`.
 */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toJSON(): unknown {
    return parsedExactly(this.text)
  }
}

/** Parses JSON so that `JSON.stringify` reproduces its numbers exactly. Throws SyntaxError. */
export function parsedExactly(text: string): unknown {
  return JSON.parse(text, (_name, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source
      ? JSON.rawJSON(source)
      : value,
  )
}
