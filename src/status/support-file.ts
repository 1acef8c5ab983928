import { Readable } from 'node:stream'
import type { Clock } from '../host/clock.ts'
import type { KeptLog } from '../host/kept-log.ts'
import { expectNoParameters } from '../jsonapi/query/query.ts'
import type { Store } from '../jsonapi/resource-routes.ts'
import { type Route, routesAt } from '../jsonapi/route.ts'
import type { Field } from '../resource/field.ts'
import { Problem } from '../resource/problem.ts'
import type { Resource } from '../resource/resource.ts'
import { maskedValue, maskGuests } from './mask-guests.ts'

const type = 'application/jsonl'
const ageType = 'application/octet-stream'
const noRecipient =
  'There is no key for the file. Set supportRecipient in nightporter.json to the age recipient of whoever helps.'
/** How much of the recording is in the file. */
const recordedMs = 6 * 3_600_000
/** A shorter text that people typed is a part of other words where the program writes it. */
const fewestRepeated = 4
/** The largest number of resources of one type. */
const most = 1_000

/** The sources of the support file. */
export interface SupportOptions {
  clock: Pick<Clock, 'now'>
  log: Pick<KeptLog, 'all'>
  /** The age recipient of the encrypted file; null for none. */
  recipient: string | null
  /** Returns the whole status, in English. */
  status(): Promise<object>
  /** The recording, as the recorder reads it; null when the property records nothing. */
  recording: (() => AsyncIterable<Uint8Array>) | null
  /** The resources that make up the configuration. Sealed fields show only whether they are set. */
  configuration: readonly Resource[]
}

/**
 * Returns the route of the support file: what somebody far away needs to find a fault, without guests and secrets. Messages on
 * the wires are counted, not shown, because they can name guests; the recording itself is a download of its own.
 */
export function supportRoutes(store: Store, options: SupportOptions): Route[] {
  return [
    routesAt('/api/config/v1')(
      'GET',
      'support-file',
      'diagnostics.recordings',
      description,
      async ({ query }) => {
        const isEncrypted = encryptedIn(query)
        const day = new Date(options.clock.now()).toISOString().slice(0, 10)
        const name = `nightporter-support-${day}.jsonl${isEncrypted ? '.age' : ''}`
        const headers = { 'Content-Disposition': `attachment; filename="${name}"` }
        const plain = Readable.from(linesOf(store, options))
        if (!isEncrypted) return { status: 200, stream: plain, type, headers }
        if (options.recipient === null) throw new Problem('configuration-disabled', noRecipient)
        // Only such a file loads the encryption library.
        const { encryptedFor } = await import('../backup/archive/encrypted-stream.ts')
        const bytes = plain.map((line: string) => Buffer.from(line))
        return { status: 200, stream: await encryptedFor(options.recipient, bytes), type: ageType, headers }
      },
    ),
  ]
}

/** Whether the file is asked for encrypted. Throws unknown-parameter, and invalid-filter-value for another value than true or false. */
function encryptedIn(query: URLSearchParams): boolean {
  const { encrypted = 'false', ...others } = Object.fromEntries(query)
  expectNoParameters(new URLSearchParams(others))
  if (encrypted === 'true' || encrypted === 'false') return encrypted === 'true'
  throw new Problem('invalid-filter-value', 'encrypted is true or false.', { parameter: 'encrypted' })
}

async function* linesOf(store: Store, options: SupportOptions): AsyncGenerator<string> {
  const { configuration, mask } = await maskedConfiguration(store, options.configuration)
  const line = (part: string, value: unknown) =>
    `${JSON.stringify({ part, value: maskedValue(value, mask) })}\n`
  yield line('status', await options.status())
  for (const value of configuration) yield `${JSON.stringify({ part: 'configuration', value })}\n`
  for (const each of options.log.all()) yield line('log', each)
  if (!options.recording) return
  for await (const entry of recordedSince(options.recording(), options.clock.now() - recordedMs))
    yield line('recording', entry)
}

/**
 * Returns the configuration without guests and secrets, and a function that masks a text of the program. What people typed
 * into the configuration, such as the name of a device, is masked in the same way where the program repeats it.
 */
async function maskedConfiguration(store: Store, resources: readonly Resource[]) {
  const hide = maskGuests(store.reader)
  const repeated = new Map<string, string>()
  const typed = (text: string) => {
    const masked = hide(withoutAddressSecrets(text), 'typed')
    if (masked !== text && text.length >= fewestRepeated) repeated.set(text, masked)
    return masked
  }
  const mask = (text: string) => {
    let known = text
    for (const [from, to] of repeated) known = known.replaceAll(from, to)
    return hide(withoutAddressSecrets(known), 'program')
  }
  const configuration: unknown[] = []
  for (const resource of resources) {
    const shape = store.serializer.shape(resource)
    const page = await store.reader.page(resource, { filters: [], sort: [], page: { size: most } }, shape)
    for (const { text } of page.documents) {
      const { attributes, ...document } = JSON.parse(text) as { attributes: Record<string, unknown> }
      const members = Object.entries(attributes).map(([name, value]) => [
        name,
        maskedValue(value, isTyped(resource.fields[name]) ? typed : mask),
      ])
      configuration.push({ ...document, attributes: Object.fromEntries(members) })
    }
  }
  return { configuration, mask }
}

/** Whether people may type what they like into a field: a text without a form of its own, or a list of such texts. */
function isTyped(field: Field | undefined): boolean {
  if (field?.kind === 'list') return true
  return field?.kind === 'scalar' && field.form === 'text' && !('pattern' in field.options)
}

/** A URL can have a password before its host, and a token in its query. */
function withoutAddressSecrets(text: string): string {
  return text
    .replaceAll(/(\b[\w+.-]+:\/\/)[^\s/"@]*@/g, '$1[hidden]@')
    .replaceAll(/(\b[\w+.-]+:\/\/[^\s"?]*)\?[^\s"]*/g, '$1?[hidden]')
}

type Entry = Record<string, unknown> & { at?: number }

async function* recordedSince(chunks: AsyncIterable<Uint8Array>, since: number): AsyncGenerator<Entry> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const text of lines) {
      const entry = text === '' ? null : (JSON.parse(text) as Entry)
      if (entry && (entry.at ?? 0) >= since) yield withoutContent(entry)
    }
  }
}

/** What a device was asked and how it ended, without what was said: arguments, values and bytes can contain a guest's name. */
function withoutContent({ hex, text, args, value, options, ...entry }: Entry): Entry {
  if (entry.kind === 'bay') return { ...entry, text }
  if (typeof hex === 'string') return { ...entry, size: hex.length / 2 }
  return typeof text === 'string' ? { ...entry, size: text.length } : entry
}

const description = {
  id: 'readSupportFile',
  summary: 'Download a file for whoever helps to find a fault',
  notes: `One JSON object for each line: \`part\` is \`status\`, \`configuration\`, \`log\` or \`recording\`, and \`value\` its content. Credentials are not in it, and names of guests, e-mail addresses and telephone numbers are masked. Of the last six hours
of the recording it has what the devices were asked and how it ended; the messages themselves are in \`/flight-recorder\`.`,
  query: {
    encrypted: {
      schema: { type: 'boolean' },
      notes:
        'Encrypts the file in age format for `supportRecipient` of the settings. Read it without first: it is the same.',
    },
  },
  answers: { 200: { schema: { type: 'string' }, type, also: { [ageType]: { type: 'string' } } } },
  problems: ['unknown-parameter', 'invalid-filter-value', 'configuration-disabled'],
} as const
