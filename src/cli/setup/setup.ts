import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ApplianceRefusal, type Client } from '../client.ts'
import { CommandFailed, type Exit } from '../exit-codes.ts'

export interface SetupOptions {
  dryRun?: boolean
  export?: boolean
}

interface Change {
  path: string
  action: 'create' | 'update' | 'map'
  names: string[]
  fields: string[]
}

/** The one-time code with which a new member of the staff sets password and passcode. */
interface StaffCode {
  name: string
  code: string
  codeEndsAt: string
}

type Values = Record<string, unknown>

const path = '/api/config/v1/setup'
/** A hotel of a thousand rooms on a slow card. */
const withinMs = 300_000

/** The YAML library is loaded with the first file that needs it. */
const yaml = () => import('./yaml-file.ts')

/** Applies the file, or prints the file of the present property. */
export async function setUp(
  ask: Client,
  file: string | undefined,
  { dryRun = false, export: isExport = false }: SetupOptions,
): Promise<void> {
  if (isExport === (file !== undefined))
    throw new CommandFailed('usage', 'Give either the file of the property, or --export.')
  if (file === undefined) return printExport(ask)
  const missing = new Map<string, string>()
  const document = withSecrets(await documentIn(file), { folder: dirname(resolve(file)), missing }, '')
  // Secrets that are missing do not hide what else is wrong.
  const query = dryRun || missing.size > 0 ? '?dryRun=true' : ''
  try {
    const { body } = await ask<{ data: { attributes: { changes: Change[]; codes: StaffCode[] } } }>(
      'POST',
      `${path}/actions/apply${query}`,
      { body: document, withinMs },
    )
    if (missing.size > 0) throw listed('missing', file, [...missing.values()])
    printChanges(body.data.attributes.changes, dryRun)
    for (const { name, code, codeEndsAt } of body.data.attributes.codes)
      console.log(`code of ${name}: ${code} (until ${codeEndsAt}; it is not shown again)`)
  } catch (error) {
    throw asListed(error, file, missing)
  }
}

async function printExport(ask: Client): Promise<void> {
  const { body } = await ask<{ data: { attributes: { document: Values } } }>('GET', path)
  const { writeYaml } = await yaml()
  const head = '# Set up a property with: nightporter setup FILE\n# Secrets are not in this file.\n'
  process.stdout.write(head + writeYaml(body.data.attributes.document))
}

async function documentIn(file: string): Promise<unknown> {
  const text = textOf(file, `${file} cannot be read`)
  if (/\.json$/i.test(file)) {
    try {
      return JSON.parse(text)
    } catch (error) {
      throw new CommandFailed('data', `${file} is not JSON: ${(error as Error).message}.`)
    }
  }
  return (await yaml()).readYaml(text, file)
}

/** Where the files of secrets are, and the place of each secret that is missing, with what to do. */
interface Secrets {
  folder: string
  missing: Map<string, string>
}

/**
 * Replaces `{ env: NAME }` and `{ file: PATH }` below `credentials` by the text that they name: a variable of the
 * environment, or a file beside this one, without its last line break. So a set-up file contains no secrets.
 */
function withSecrets(value: unknown, secrets: Secrets, place: string): unknown {
  if (Array.isArray(value))
    return value.map((each, index) => withSecrets(each, secrets, `${place}[${index}]`))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value)
  const [[kind, name] = []] = members
  if (/\.credentials\./.test(place) && members.length === 1 && (kind === 'env' || kind === 'file'))
    return secretOf(kind, String(name), secrets, place)
  return Object.fromEntries(
    members.map(([key, each]) => [key, withSecrets(each, secrets, place === '' ? key : `${place}.${key}`)]),
  )
}

function secretOf(kind: 'env' | 'file', name: string, { folder, missing }: Secrets, place: string): string {
  try {
    if (kind === 'file')
      return textOf(resolve(folder, name), `${place}: ${name} cannot be read`).replace(/\r?\n$/, '')
    const secret = process.env[name]
    if (secret) return secret
    throw new CommandFailed('missing', `${place}: the variable ${name} is not set. Set it, and start again.`)
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error
    missing.set(place, error.message)
    return standIn
  }
}

/** Stands for a secret that is missing while the rest is checked. */
const standIn = 'missing'

function textOf(file: string, message: string): string {
  try {
    // Some editors put a byte order mark before the text.
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    throw new CommandFailed('missing', `${message}: ${(error as Error).message}.`)
  }
}

const verbs = {
  create: ['would make', 'made'],
  update: ['would change', 'changed'],
  map: ['would map', 'mapped'],
} as const
const mostNames = 12

function printChanges(changes: Change[], isTrial: boolean): void {
  for (const { path: place, action, names, fields } of changes) {
    const shown =
      names.slice(0, mostNames).join(', ') +
      (names.length > mostNames ? ` and ${names.length - mostNames} more` : '')
    const what = fields.length > 0 ? ` (${fields.join(', ')})` : ''
    console.log(`${verbs[action][isTrial ? 0 : 1]} ${dotted(place)}: ${shown}${what}`)
  }
  if (changes.length === 0) console.log('The property is as the file says. Nothing to change.')
}

/** Writes every error with its place in the file, after what is missing. What stands for a secret is not judged. */
function asListed(error: unknown, file: string, missing: ReadonlyMap<string, string>): unknown {
  const isRefusal = error instanceof ApplianceRefusal
  const placed = isRefusal ? error.errors.filter(({ source }) => source?.pointer !== undefined) : []
  if (!isRefusal || placed.length === 0)
    return missing.size > 0 && !(error instanceof CommandFailed && error.exit === 'missing')
      ? listed('missing', file, [...missing.values()])
      : error
  const lines = placed.flatMap(({ source, detail }) => {
    const place = dotted(source!.pointer!.replace(/^\/data(\/attributes)?/, ''))
    return missing.has(place) ? [] : [`${place || 'the file'}: ${detail}`]
  })
  const all = [
    ...missing.values(),
    ...lines,
    ...(error.more > 0 ? [`${error.more} more. Mend these first, and start again.`] : []),
  ]
  const isPart = placed.some(({ meta }) => meta?.whileWriting === true)
  return listed(missing.size > 0 ? 'missing' : error.exit, file, all, isPart ? written : undefined)
}

/** Another person has changed the property between the check and the write. */
const written =
  'the check found nothing, but this was refused while the file was written. What was made before it stays. Mend the file, and start again.'

function listed(exit: Exit, file: string, lines: readonly string[], head = 'nothing was written.') {
  const all = lines.map((line) => `  ${line}`).join('\n')
  return new CommandFailed(exit, `${file}: ${head}\n${all}`)
}

/** `/encoders/0/device` is `encoders[0].device`. */
function dotted(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join('')
}
