/** Stands for `...` in JSON that a page shows: any value, or members or elements that are left out. */
export const anything = Symbol('...')

/** What a page shows: JSON in which a value, members of an object or elements of an array may be `...`. */
export type ShownValue =
  | string
  | number
  | boolean
  | null
  | typeof anything
  | ShownValue[]
  | { members: Map<string, ShownValue>; isPart: boolean }

/** Parses JSON with `...`. Throws what is wrong with it, with the place. */
export function shownJson(text: string): ShownValue {
  const tokens = [...text.matchAll(/\s*("(?:[^"\\]|\\.)*"|\.\.\.|[{}[\]:,]|[^\s{}[\]:,"]+)\s*/gy)].map(
    ([, token]) => token!,
  )
  let at = 0
  const next = () => tokens[at++]
  const skipCommas = () => {
    while (tokens[at] === ',') at++
  }

  function value(): ShownValue {
    const token = next()
    if (token === undefined) throw new Error('the JSON that is shown ends too early')
    if (token === '...') return anything
    if (token === '{') return object()
    if (token === '[') return array()
    try {
      return JSON.parse(token)
    } catch {
      throw new Error(`the JSON that is shown has ${token} where a value should be`)
    }
  }

  function object(): ShownValue {
    const members = new Map<string, ShownValue>()
    let isPart = false
    for (skipCommas(); tokens[at] !== '}'; skipCommas()) {
      const token = next()
      if (token === '...') isPart = true
      else if (token?.startsWith('"') && next() === ':') members.set(JSON.parse(token), value())
      else throw new Error(`the JSON that is shown has ${token} where a member should be`)
    }
    at++
    return { members, isPart }
  }

  function array(): ShownValue {
    const elements: ShownValue[] = []
    for (skipCommas(); tokens[at] !== ']'; skipCommas()) elements.push(value())
    at++
    return elements
  }

  const whole = value()
  if (at < tokens.length) throw new Error(`the JSON that is shown goes on behind its end: ${tokens[at]}`)
  return whole
}
