import { assumedSettings } from '../reservation/values/assumed-settings.ts'
import { exampleId } from '../resource/example-id.ts'
import type { Reader } from '../resource/keeper.ts'
import { didYouMean } from '../resource/nearest.ts'
import { Problem } from '../resource/problem.ts'
import { applyLocks, applyNames, applyRooms } from './apply-rooms.ts'
import { type Applying, type Change, isSame, type Means, type StaffCode } from './applying.ts'
import type { Own } from './ask-own.ts'
import { type Found, inDocument, problemsIn, problemsOf } from './check-item.ts'
import { rowsOf, type Section, secretFields, sectionOf, sections, type Values } from './sections.ts'
import { itemsOf, type SetupDocument } from './setup-document.ts'

/**
 * Brings the property to what the document says: makes what is missing, and changes the fields that differ. What the
 * document does not name stays as it is. Returns the changes in order. A trial makes everything in a scratch store, so each item meets
 * those before it, as it will when it is written; all problems are thrown together, after those that the form of the document has. Otherwise the first one
 * ends it with `whileWriting` in its meta, what was done before stays, and a repeat goes on. The codes of new staff are returned once.
 */
export async function applySetup(
  document: SetupDocument,
  means: Means,
  form: Found = { problems: [], more: 0 },
): Promise<{ changes: Change[]; codes: StaffCode[] }> {
  const { trial } = means
  const problems = [...form.problems]
  let more = form.more
  const changes: Change[] = []
  const codes: StaffCode[] = []
  const refuse = (found: Found, path: string) => {
    problems.push(...found.problems.map((each) => placed(each, path)))
    more += found.more
    if (!trial) for (const { options } of problems) options.meta = { ...options.meta, whileWriting: true }
    if (problems.length > 0 && (!trial || problems.length >= mostProblems)) throw Problem.all(problems, more)
  }
  const applying = { ...means, changes, codes, refuse }
  const staff = sectionOf('staff')
  for (const section of sections.filter((each) => each !== staff)) {
    await applySection(applying, section, document)
    if (section.name === 'unitTypes') await applyRooms(applying, document)
  }
  await applyLocks(applying, document)
  await applyNames(applying, document)
  // Last, because only the answer shows the codes: what is refused afterwards would lose them.
  await applySection(applying, staff, document)
  if (problems.length > 0) throw Problem.all(problems, more)
  return { changes, codes }
}

/** A document with more problems is not read to its end. */
const mostProblems = 1_000

async function applySection(applying: Applying, section: Section, document: SetupDocument): Promise<void> {
  const rows = rowsOf(applying.reader, section.resource)
  for (const { item, path } of itemsOf(document, section)) {
    const row = rows.find(
      (each) => section.key === null || isFound(section, each[section.key], item[section.key]),
    )
    const found = await problemsOf(() => applyItem(applying, section, { item, path, row, document }))
    // In a trial only the rules, and not the schema, name fields with ids.
    if (!applying.trial) inDocument(found.problems, section)
    applying.refuse(found, path)
  }
}

function isFound({ keyForm = String }: Section, one: unknown, other: unknown): boolean {
  return keyForm(String(one)) === keyForm(String(other))
}

interface Item {
  item: Values
  path: string
  row: Values | undefined
  document: SetupDocument
}

async function applyItem(
  applying: Applying,
  section: Section,
  { item, path, row, document }: Item,
): Promise<void> {
  const { reader, ask, write, trial, changes, codes } = applying
  const { resource, key } = section
  const whole = row ? item : (section.complete?.(item) ?? item)
  const { attributes, sent, isWhole, planned, unlinked } = linked(reader, section, whole, document)
  const names = [String(key === null ? section.name : item[key])]
  const at = `${resource.base}/${resource.path}`
  const differing = row ? differingFields(applying, section, attributes, row) : null
  /** Nothing is asked of a stored row that stays as it is. */
  const put = async (own: Own, body: Values) => {
    if (!row) return own('POST', at, body)
    return Object.keys(body).length > 0 ? own('PATCH', `${at}/${row.id}`, body) : null
  }
  if (trial) {
    const given = isWhole ? sent : attributes
    const { rest, ...found } = await problemsIn({
      section,
      item: whole,
      isNew: !row,
      attributes: differing ? only(given, differing) : given,
      unlinked,
      planned,
      ask: (body) => put(ask, body),
    })
    if (rest && !section.isAlone) await problemsOf(() => put(write, rest))
    if (found.problems.length > 0) throw Problem.all(found.problems, found.more)
  }
  if (!row || !differing) {
    changes.push({ path, action: 'create', names, fields: [] })
    if (trial) return
    const { code, codeEndsAt } = (await put(write, sent))?.meta ?? {}
    if (code) codes.push({ name: String(item.name), code, codeEndsAt })
    return
  }
  if (differing.length === 0) return
  changes.push({ path, action: 'update', names, fields: differing })
  if (!trial) await put(write, only(sent, differing))
}

function differingFields({ reader }: Applying, section: Section, attributes: Values, row: Values): string[] {
  const assumed: readonly string[] = section.name === 'settings' ? assumedSettings(reader) : []
  return Object.keys(attributes).filter((name) => {
    if (secretFields.includes(name)) return row[name] === null
    return assumed.includes(name) || !isSame(attributes[name], comparable(name, attributes[name], row[name]))
  })
}

function only(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(names.filter((name) => name in values).map((name) => [name, values[name]]))
}

/** Objects whose missing members the appliance completes: only the members that are given count. */
const completedFields = ['address', 'conflictPolicy']

function comparable(name: string, given: unknown, stored: unknown): unknown {
  if (!completedFields.includes(name) || typeof given !== 'object' || typeof stored !== 'object')
    return stored
  return Object.fromEntries(Object.keys(given ?? {}).map((each) => [each, (stored as Values | null)?.[each]]))
}

/** An item with ids in the place of names. What could not be made in a trial, because it was refused, has the example id. */
interface Linked {
  attributes: Values
  /** Without optional references to what the document is still to make. */
  sent: Values
  /** Whether everything that is referred to is stored, but for optional references. */
  isWhole: boolean
  /** Pointers to the example ids of what the document is still to make. */
  planned: string[]
  /** A problem for each reference that names nothing; its field is left out. */
  unlinked: Problem[]
}

/** Replaces names by ids. What the document is still to make has an example id. */
function linked(
  reader: Reader,
  { references, name: section }: Section,
  item: Values,
  document: SetupDocument,
): Linked {
  const left: string[] = []
  const planned: string[] = []
  const unlinked: Problem[] = []
  const idOf = (to: string, value: unknown, pointer: string, place: string) => {
    const { resource, key } = sectionOf(to)
    const stored = rowsOf(reader, resource)
    const found = stored.find((row) => row[key!] === value)
    if (found) return found.id
    const own = itemsOf(document, sectionOf(to)).map((each) => each.item[key!])
    if (own.includes(value)) planned.push(place)
    else if (typeof value === 'string') {
      const detail = `Neither this document (${to}) nor the property has ${JSON.stringify(value)}.`
      const known = [...stored.map((row) => String(row[key!])), ...own.map(String)]
      const meant = didYouMean(value, known)
      unlinked.push(new Problem('validation-failed', detail, { pointer, didYouMean: meant }))
    }
    return exampleId(resource.type)
  }
  const { mapUnits: _, ...attributes } = item
  for (const [name, { field, to, isOptional }] of Object.entries(references)) {
    if (attributes[name] === undefined) continue
    const value = attributes[name]
    attributes[field] = value === null ? null : idOf(to, value, `/${name}`, `/${field}`)
    if (isOptional && planned.includes(`/${field}`)) left.push(field)
    delete attributes[name]
  }
  if (section === 'keyServices' && Array.isArray(attributes.encoders))
    attributes.encoders = attributes.encoders.map((each: unknown, index: number) => {
      if (typeof each !== 'object' || each === null) return each
      const { encoder, ...rest } = each as Values
      const at = `/encoders/${index}`
      if (encoder === undefined) return rest
      return { ...rest, controllerId: idOf('encoders', encoder, `${at}/encoder`, `${at}/controllerId`) }
    })
  const sent = Object.fromEntries(Object.entries(attributes).filter(([name]) => !left.includes(name)))
  const isWhole = planned.every((pointer) => left.includes(pointer.slice(1)))
  return { attributes, sent, isWhole, planned, unlinked }
}

/** Returns the problem of an item as one of the document, which has no ids. */
function placed(
  { message, options: { pointer = '', meta = {}, didYouMean: meant } }: Problem,
  path: string,
): Problem {
  const said = Object.entries(meta).filter(([name]) => !/(^i|I)d$/.test(name))
  return new Problem('validation-failed', message, {
    pointer: path + pointer,
    ...(said.length > 0 && { meta: Object.fromEntries(said) }),
    didYouMean: meant,
  })
}
