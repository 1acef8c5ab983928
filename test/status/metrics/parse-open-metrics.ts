/** A family as its lines say it. */
export interface ParsedFamily {
  type: string
  unit: string
  help: string
  samples: { name: string; labels: Record<string, string>; value: number }[]
}

const name = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const metadata = new RegExp(`^# (TYPE|UNIT|HELP) (${name}) (.*)$`)
const sample = new RegExp(`^(${name})(?:\\{(.*)\\})? (\\S+)$`)
const label = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\n"])*)"(?:,|$)/
const number = /^(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|[+-]Inf|NaN)$/i
const escapedText = /^(?:[^"\\\n]|\\[\\n"])*$/
const suffixes: Record<string, readonly string[]> = {
  counter: ['_total', '_created'],
  gauge: [''],
  histogram: ['_bucket', '_count', '_sum', '_created'],
  info: ['_info'],
}

/**
 * Reads OpenMetrics 1.0, and throws where the text is not as the format says: order and spelling of lines, names and units,
 * suffixes of each type, repeated families and samples, buckets that do not add up, and the end.
 */
export function parseOpenMetrics(text: string): Map<string, ParsedFamily> {
  if (!text.endsWith('\n# EOF\n')) throw new SyntaxError('the text does not end with # EOF')
  const families = new Map<string, ParsedFamily>()
  let current: [string, ParsedFamily] | null = null
  for (const line of text.slice(0, -'# EOF\n'.length - 1).split('\n')) {
    const [, what, of = '', rest = ''] = metadata.exec(line) ?? []
    if (what) {
      if (current?.[0] !== of) {
        if (families.has(of)) throw new SyntaxError(`${of} is in two places`)
        current = [of, { type: '', unit: '', help: '', samples: [] }]
        families.set(...current)
      }
      describeFamily(current[1], what, rest, line)
    } else if (current) addSample(current, line)
    else throw new SyntaxError(`a sample before its family: ${line}`)
  }
  for (const [each, family] of families) checkFamily(each, family)
  return families
}

function describeFamily(family: ParsedFamily, what: string, text: string, line: string): void {
  const member = what.toLowerCase() as 'type' | 'unit' | 'help'
  if (family[member] !== '' || family.samples.length > 0) throw new SyntaxError(`late or repeated: ${line}`)
  if (text === '' || !escapedText.test(text)) throw new SyntaxError(`not a text: ${line}`)
  family[member] = text
}

function addSample([of, family]: [string, ParsedFamily], line: string): void {
  const [, full = '', inner = '', value = ''] = sample.exec(line) ?? []
  if (!full) throw new SyntaxError(`not a line of OpenMetrics: ${line}`)
  if (!number.test(value)) throw new SyntaxError(`not a number: ${line}`)
  const allowed = suffixes[family.type] ?? []
  if (!full.startsWith(of) || !allowed.includes(full.slice(of.length)))
    throw new SyntaxError(`not a sample of the ${family.type} ${of}: ${line}`)
  const labels: Record<string, string> = {}
  for (let rest = inner; rest !== ''; ) {
    const [whole = '', key = '', text = ''] = label.exec(rest) ?? []
    if (whole === '' || Object.hasOwn(labels, key)) throw new SyntaxError(`not labels: ${line}`)
    labels[key] = text
    rest = rest.slice(whole.length)
  }
  family.samples.push({ name: full, labels, value: Number(value.replace('Inf', 'Infinity')) })
}

function checkFamily(of: string, { type, unit, help, samples }: ParsedFamily): void {
  if (!(type in suffixes)) throw new SyntaxError(`${of} has the type ${type}`)
  if (help === '') throw new SyntaxError(`${of} says nothing`)
  if (unit !== '' && !of.endsWith(`_${unit}`))
    throw new SyntaxError(`${of} does not end with its unit ${unit}`)
  if (type === 'info' && samples.some(({ value }) => value !== 1)) throw new SyntaxError(`${of} is not 1`)
  if ((type === 'counter' || type === 'histogram') && samples.some(({ value }) => !(value >= 0)))
    throw new SyntaxError(`${of} is negative`)
  const keys = samples.map((each) => `${each.name} ${JSON.stringify(Object.entries(each.labels).sort())}`)
  if (new Set(keys).size !== keys.length) throw new SyntaxError(`${of} repeats a sample`)
  if (type === 'histogram') checkBuckets(of, samples)
}

function checkBuckets(of: string, samples: ParsedFamily['samples']): void {
  const bySeries = Map.groupBy(samples, ({ labels: { le: _, ...labels } }) => JSON.stringify(labels))
  for (const series of bySeries.values()) {
    const buckets = series.filter((each) => each.name === `${of}_bucket`)
    const bounds = buckets.map(({ labels }) => Number(labels.le?.replace('+Inf', 'Infinity')))
    const isAscending = (all: number[], least: number) =>
      all.every((each, at) => at === 0 || each - all[at - 1]! >= least)
    if (bounds.at(-1) !== Number.POSITIVE_INFINITY || new Set(bounds).size !== bounds.length)
      throw new SyntaxError(`${of} has no last bucket, or one twice`)
    if (
      !isAscending(bounds, 0) ||
      !isAscending(
        buckets.map(({ value }) => value),
        0,
      )
    )
      throw new SyntaxError(`the buckets of ${of} do not ascend`)
    if (buckets.some(({ labels }) => !/^\+Inf$|\./.test(labels.le!)))
      throw new SyntaxError(`a bound of ${of} is not written as a decimal`)
    const count = series.find((each) => each.name === `${of}_count`)
    const sum = series.find((each) => each.name === `${of}_sum`)
    if (!sum || count?.value !== buckets.at(-1)?.value) throw new SyntaxError(`${of} does not add up`)
  }
}
