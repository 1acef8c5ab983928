import { validate } from '../jsonapi/schemas/validate.ts'
import { exampleId } from '../resource/example-id.ts'
import { Problem } from '../resource/problem.ts'
import { itemSchema, memberNames } from './item-schema.ts'
import { type Section, sectionOf, type Values } from './sections.ts'

/** Problems that were found in one place. */
export interface Found {
  problems: Problem[]
  /** How many more there are. */
  more: number
}

/** The fields whose value decides which others there are: where one is wrong, the others cannot be judged. */
const deciding: readonly string[] = ['driver', 'adapter', 'kind']
/** The rules of a resource are asked again without what is wrong, at most this often. */
const mostRounds = 12

interface Checked {
  section: Section
  /** The item as the document has it, completed. */
  item: Values
  /** Whether no stored row has its key. */
  isNew: boolean
  /** Attributes of the resource, without references that name nothing. */
  attributes: Values
  /** What references that name nothing are refused with. */
  unlinked: Problem[]
  /** Pointers to the ids of what the document is still to make. */
  planned: readonly string[]
  /** Asks the route of the resource for a trial. */
  ask(attributes: Values): Promise<unknown>
}

/**
 * Finds what is wrong in one item: first what its schema and its references refuse, then what the rules of its resource
 * refuse. The rules name one mistake at a time, so they are asked again without what is wrong: without the member of an object, and
 * where that changes nothing, without the whole field. `rest` is what they accept in the end: with it a trial makes the item, which later items
 * of the document may exclude. It is null where they accept nothing, or where the item refers to what could not be made.
 */
export async function problemsIn(checked: Checked): Promise<Found & { rest: Values | null }> {
  const { section, item, isNew, unlinked, planned, ask } = checked
  const { problems, more } = await problemsOf(() => validate(itemSchema(section, isNew), item))
  problems.push(...unlinked)
  // The rules would be asked with what is wrong and not listed.
  if (more > 0) return { problems, more, rest: null }
  const fields = new Map([...memberNames(section)].map(([field, member]) => [member, field]))
  const wrong = problems.map((each) => renamed(pointerOf(each), fields))
  let isWhole = false
  let rest: Values | null = null
  for (let round = 0; round < mostRounds && !deciding.some((name) => wrong.includes(`/${name}`)); round++) {
    const attempt = without(checked, wrong, isWhole)
    const found = await problemsOf(() => ask(attempt))
    if (found.problems.length === 0) {
      // Of a stored row, a field with a mistake stays as it is.
      rest = isNew ? attempt : without(checked, wrong, true)
      break
    }
    const known = [...wrong, ...planned]
    const fresh = found.problems.filter((each) => !known.some((one) => isAbout(one, pointerOf(each))))
    if (fresh.length === 0 && isWhole) break
    isWhole ||= fresh.length === 0
    wrong.push(...fresh.map(pointerOf))
    problems.push(...inDocument(fresh, section))
  }
  return { problems, more, rest }
}

const pointerOf = ({ options: { pointer = '' } }: Problem) => pointer

/** Changes the pointers of what the rules of a resource refuse: from fields with ids to the members that stand for them. */
export function inDocument(problems: readonly Problem[], section: Section): readonly Problem[] {
  const members = memberNames(section)
  for (const each of problems) each.options.pointer = renamed(pointerOf(each), members)
  return problems
}

/** Returns a pointer with another name of its first member, where it has one; below a list of encoders, of the member of an encoder. */
function renamed(pointer: string, names: ReadonlyMap<string, string>): string {
  const words = pointer.split('/')
  const at = words[1] === 'encoders' ? 3 : 1
  const name = names.get(words[at] ?? '')
  return name === undefined ? pointer : words.with(at, name).join('/')
}

/** Whether a pointer is one that is known, or points into it or to what contains it. */
function isAbout(known: string, pointer: string): boolean {
  if (known === '' || pointer === '') return known === pointer
  return `${pointer}/`.startsWith(`${known}/`) || `${known}/`.startsWith(`${pointer}/`)
}

/** The attributes without what is wrong. A required field of a new item then has a value that is only an example. */
function without(
  { section, attributes, isNew }: Checked,
  wrong: readonly string[],
  isWhole: boolean,
): Values {
  const left = structuredClone(attributes)
  for (const pointer of wrong) {
    const [, top = '', member, ...deeper] = pointer.split('/')
    const value = left[top] as Values | undefined
    const isMember = member !== undefined && deeper.length === 0 && isPlain(value) && member in value
    if (isMember && !isWhole) delete value[member]
    else delete left[top]
  }
  return isNew ? { ...examplesOf(section), ...left } : left
}

function isPlain(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Values of required fields. An id that is only an example names nothing, which the problems of references leave out. */
function examplesOf({ resource, references }: Section): Values {
  const required = Object.keys(resource.fields).filter((name) => resource.fields[name]!.options.required)
  const given: Values = { name: 'Example', connection: {}, ...(resource.example as Values | undefined) }
  const ids = Object.values(references).map(({ field, to }) => [
    field,
    exampleId(sectionOf(to).resource.type),
  ])
  const all: Values = { ...given, ...Object.fromEntries(ids) }
  return Object.fromEntries(required.filter((name) => name in all).map((name) => [name, all[name]]))
}

/** Returns what a check finds. Throws what is no fault of the document: a missing scope, a device that fails. */
export async function problemsOf(check: () => unknown): Promise<Found> {
  try {
    await check()
    return { problems: [], more: 0 }
  } catch (error) {
    if (!(error instanceof Problem) || error.status === 403 || error.status >= 500) throw error
    return { problems: [error, ...error.others], more: error.more }
  }
}
