import { bodyReader } from '../jsonapi/body.ts'
import { assumedSettings } from '../reservation/property/assumed-settings.ts'
import { exampleId } from '../resource/example-id.ts'
import type { Reader } from '../resource/keeper.ts'
import { Problem } from '../resource/problem.ts'
import { applyLocks, applyNames, applyRooms } from './apply-rooms.ts'
import { type Applying, type Change, isSame, type StaffCode } from './applying.ts'
import type { Own } from './ask-own.ts'
import { rowsOf, type Section, secretFields, sectionOf, sections, type Values } from './sections.ts'
import type { SetupDocument } from './setup-document.ts'

/**
 * Brings the property to what the document says: makes what is missing, and changes the fields that differ. What the
 * document does not name stays as it is. Returns the changes in order. In a trial all problems are thrown together;
 * otherwise the first one ends it, what was done before stays, and a repeat goes on. The codes of new staff are returned once.
 */
export async function applySetup(
  document: SetupDocument,
  { reader, ask, trial }: Pick<Applying, 'reader' | 'ask' | 'trial'>,
): Promise<{ changes: Change[]; codes: StaffCode[] }> {
  const problems: Problem[] = []
  const changes: Change[] = []
  const codes: StaffCode[] = []
  const refuse = (error: unknown, path: string) => {
    const found = placed(error, path)
    if (!trial) throw Problem.all(found)
    problems.push(...found)
  }
  const applying = { reader, ask, trial, changes, codes, refuse }
  const staff = sectionOf('staff')
  for (const section of sections.filter((each) => each !== staff)) {
    await applySection(applying, section, document)
    if (section.name === 'unitTypes') await applyRooms(applying, document)
  }
  await applyLocks(applying, document)
  await applyNames(applying, document)
  // Last, because only the answer shows the codes: what is refused afterwards would lose them.
  await applySection(applying, staff, document)
  if (problems.length > 0) throw Problem.all(problems.slice(0, mostProblems))
  return { changes, codes }
}

const mostProblems = 50

async function applySection(applying: Applying, section: Section, document: SetupDocument): Promise<void> {
  const given = document[section.name]
  if (given === undefined) return
  const isList = section.key !== null
  const rows = rowsOf(applying.reader, section.resource)
  for (const [index, item] of (isList ? (given as Values[]) : [given as Values]).entries()) {
    const path = isList ? `/${section.name}/${index}` : `/${section.name}`
    const row = rows.find(
      (each) => section.key === null || isFound(section, each[section.key], item[section.key]),
    )
    try {
      await applyItem(applying, section, { item, path, row, document })
    } catch (error) {
      applying.refuse(error, path)
    }
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
  const { reader, ask, trial, changes, codes } = applying
  const { resource, key } = section
  const whole = row ? item : (section.complete?.(item) ?? item)
  const { attributes, sent, isWhole } = linked(reader, section, whole, document)
  const names = [String(key === null ? section.name : item[key])]
  const at = `${resource.base}/${resource.path}`
  if (!row) {
    changes.push({ path, action: 'create', names, fields: [] })
    if (!isWhole) {
      await bodyReader(resource).create(attributes)
      await expectDriver(ask, attributes)
      return
    }
    const { code, codeEndsAt } = (await ask('POST', at, sent))?.meta ?? {}
    if (code) codes.push({ name: String(item.name), code, codeEndsAt })
    return
  }
  const assumed: readonly string[] = section.name === 'settings' ? assumedSettings(reader) : []
  const fields = Object.keys(attributes).filter((name) => {
    if (secretFields.includes(name)) return row[name] === null
    return assumed.includes(name) || !isSame(attributes[name], comparable(name, attributes[name], row[name]))
  })
  if (fields.length === 0) return
  changes.push({ path, action: 'update', names, fields })
  const differing = Object.fromEntries(
    fields.filter((name) => name in sent).map((name) => [name, sent[name]]),
  )
  if (isWhole || !trial) await ask('PATCH', `${at}/${row.id}`, differing)
}

/** Objects whose missing members the appliance completes: only the members that are given count. */
const completedFields = ['address', 'conflictPolicy']

function comparable(name: string, given: unknown, stored: unknown): unknown {
  if (!completedFields.includes(name) || typeof given !== 'object' || typeof stored !== 'object')
    return stored
  return Object.fromEntries(Object.keys(given ?? {}).map((each) => [each, (stored as Values | null)?.[each]]))
}

/** Throws for an encoder's driver that this build does not have. */
async function expectDriver(ask: Own, { device }: Values): Promise<void> {
  const name = (device as { driver?: string } | undefined)?.driver
  if (name === undefined) return
  const { data } = await ask('GET', '/api/config/v1/drivers')
  const allowed = (data as { id: string; attributes: { capability: string; models: string[] } }[])
    .filter(({ attributes }) => attributes.capability === 'encoder')
    .flatMap(({ id, attributes }) => [id, ...attributes.models])
  if (allowed.includes(name)) return
  const detail = `There is no driver ${name}; there are ${allowed.join(', ')}.`
  throw new Problem('validation-failed', detail, { pointer: '/device/driver', meta: { allowed } })
}

/**
 * Replaces names by ids. In a trial, what the document is still to make has an example id. `sent` leaves it out where it
 * is optional; otherwise the item is not whole.
 */
function linked(
  reader: Reader,
  { references, name: section }: Section,
  item: Values,
  document: SetupDocument,
): { attributes: Values; sent: Values; isWhole: boolean } {
  let isWhole = true
  const left: string[] = []
  const idOf = (to: string, value: unknown, pointer: string) => {
    const { resource, key } = sectionOf(to)
    const found = rowsOf(reader, resource).find((row) => row[key!] === value)
    if (found) return found.id
    const planned = ((document[to] ?? []) as Values[]).some((each) => each[key!] === value)
    if (!planned) {
      const detail = `Neither this document (${to}) nor the property has ${JSON.stringify(value)}.`
      throw new Problem('validation-failed', detail, { pointer })
    }
    const reference = references[pointer.slice(1)]
    if (reference?.isOptional) left.push(reference.field)
    else isWhole = false
    return exampleId(resource.type)
  }
  const { mapUnits: _, ...attributes } = item
  for (const [name, { field, to }] of Object.entries(references)) {
    if (attributes[name] === undefined) continue
    attributes[field] = attributes[name] === null ? null : idOf(to, attributes[name], `/${name}`)
    delete attributes[name]
  }
  if (section === 'keyServices' && Array.isArray(attributes.encoders))
    attributes.encoders = attributes.encoders.map(({ encoder, ...rest }: Values, index: number) => ({
      ...rest,
      ...(encoder !== undefined && { controllerId: idOf('encoders', encoder, `/encoders/${index}/encoder`) }),
    }))
  const sent = Object.fromEntries(Object.entries(attributes).filter(([name]) => !left.includes(name)))
  return { attributes, sent, isWhole }
}

/**
 * Returns the problems of an error, each pointing into the document, as problems of the document. Throws an error that is
 * none of it: a missing scope, a device that fails, a fault of the program.
 */
function placed(error: unknown, path: string): Problem[] {
  if (!(error instanceof Problem)) throw error
  if (error.status === 403 || error.status >= 500) throw error
  return [error, ...error.others].map(({ message, options: { pointer = '', meta, didYouMean } }) => {
    return new Problem('validation-failed', message, {
      pointer: path + pointer,
      ...(meta && { meta }),
      didYouMean,
    })
  })
}
