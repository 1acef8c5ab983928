/**
 * Publishes updates: makes the key of a release, and lays out the folder that boxes read over HTTPS, from a mirror or from a USB
 * stick. Usage:
 *
 *   node image/channel.ts key KEY
 *   node image/channel.ts publish FOLDER --key KEY --version 0.7.0 --notes NOTES --bundle amd64=FILE [--bundle arm64=FILE]
 *       [--channel stable] [--minimum 0.6.0] [--security] [--days 30] [--rollout 5@2026-12-01T08:00:00Z]
 *   node image/channel.ts renew FOLDER --key KEY [--channel stable] [--days 30] [--rollout 50@2026-12-03T08:00:00Z]
 *
 * NOTES is a JSON file with a text for each language, such as {"en": "..."}. `--rollout` may be repeated; without it every box takes
 * part at once. `renew` signs the file again with another end and, where it is named, another roll-out; `--rollout 0@...` stops one.
 */
import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { copyFileSync, createReadStream, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { architectures, type Bundle, type Channel, readChannel } from '../src/update/channel.ts'
import { publicTextOf, signed } from '../src/update/minisign.ts'
import { type ChannelName, channelNames } from '../src/update/update-settings.ts'
import { versionForm } from '../src/update/version-order.ts'
import { version as ownVersion } from '../src/version.ts'

const day = 86_400_000

/** What is wrong with the command line, for the maintainer. */
class Refused extends Error {}

interface Published {
  folder: string
  key: KeyObject
  now: number
}

/** Writes a new private key, readable by its owner alone, and returns its public key for `update.json`. */
export function makeKey(path: string): string {
  const { privateKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' })
  writeFileSync(path, pem, { mode: 0o600, flag: 'wx' })
  return publicTextOf(privateKey)
}

type NewChannel = Pick<
  Channel,
  'channel' | 'version' | 'minimumVersion' | 'security' | 'notes' | 'rollout'
> & {
  /** The files of the bundles, by architecture. */
  bundles: Record<string, string>
  days: number
}

/** Copies the bundles into the folder and writes the signed channel file. Throws for what boxes would refuse. */
export async function publish({ folder, key, now }: Published, news: NewChannel): Promise<Channel> {
  const { days, bundles: files, ...more } = news
  if (!versionForm.test(more.version))
    throw new Refused(`${more.version} is no version such as 0.7.0 or 0.7.0-beta.1.`)
  mkdirSync(join(folder, 'channels'), { recursive: true })
  const bundles: Record<string, Bundle> = {}
  for (const [architecture, file] of Object.entries(files)) {
    const url = `nightporter-${more.version}-${architecture}.raucb`
    if (resolve(file) !== resolve(folder, url)) copyFileSync(file, join(folder, url))
    bundles[architecture] = await describe(folder, url)
  }
  return write({ folder, key, now }, { format: 1, ...more, ...lasting(now, days), bundles })
}

/** Signs a channel file again, with another end and, when it is given, another roll-out. */
export async function renew(
  published: Published,
  { channel, days, rollout }: { channel: ChannelName; days: number; rollout: Channel['rollout'] | null },
): Promise<Channel> {
  const old = JSON.parse(readFileSync(fileOf(published.folder, channel), 'utf8')) as Channel
  return write(published, { ...old, ...lasting(published.now, days), ...(rollout && { rollout }) })
}

function lasting(now: number, days: number) {
  return { published: new Date(now).toISOString(), expires: new Date(now + days * day).toISOString() }
}

async function describe(folder: string, url: string): Promise<Bundle> {
  const path = join(folder, url)
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return { url, sha256: hash.digest('hex'), size: statSync(path).size }
}

/** Reads the file back as a box does, before it has its name. */
async function write({ folder, key, now }: Published, channel: Channel): Promise<Channel> {
  const bytes = Buffer.from(`${JSON.stringify(channel, null, 2)}\n`)
  const signature = signed(bytes, `nightporter ${channel.version} ${channel.published}`, key)
  const name = channel.channel
  const keys = [publicTextOf(key)]
  await readChannel(bytes, signature, {
    file: 'the channel file',
    name,
    keys,
    now,
    isPlausible: true,
    seen: null,
  })
  writeFileSync(fileOf(folder, name), bytes)
  writeFileSync(`${fileOf(folder, name)}.minisig`, signature)
  return channel
}

function fileOf(folder: string, channel: ChannelName): string {
  return join(folder, 'channels', `${channel}.json`)
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      key: { type: 'string' },
      version: { type: 'string', default: ownVersion },
      notes: { type: 'string' },
      bundle: { type: 'string', multiple: true, default: [] },
      channel: { type: 'string', default: 'stable' },
      minimum: { type: 'string', default: '0.6.0' },
      security: { type: 'boolean', default: false },
      days: { type: 'string', default: '30' },
      rollout: { type: 'string', multiple: true },
    },
  })
  const [verb, path] = positionals
  if (!path || !['key', 'publish', 'renew'].includes(verb ?? ''))
    throw new Refused('Say key KEY, publish FOLDER or renew FOLDER.')
  if (verb === 'key') return console.log(makeKey(path))
  if (!values.key) throw new Refused('Name the private key with --key.')
  const published = { folder: path, key: createPrivateKey(readFileSync(values.key)), now: Date.now() }
  const channel = channelNames.find((each) => each === values.channel)
  if (!channel) throw new Refused(`There are the channels ${channelNames.join(', ')}.`)
  const days = Number(values.days)
  if (!(days > 0 && days <= 400)) throw new Refused('--days: expected 1 to 400.')
  const rollout = values.rollout?.map(stepIn) ?? null
  const { minimum: minimumVersion, version, security } = values
  const made =
    verb === 'renew'
      ? await renew(published, { channel, days, rollout })
      : await publish(published, {
          ...{ channel, version, minimumVersion, security, days, rollout: rollout ?? [] },
          notes: notesIn(values.notes),
          bundles: Object.fromEntries(values.bundle.map(bundleIn)),
        })
  console.log(
    `${made.channel}: ${made.version} until ${made.expires}, ${Object.keys(made.bundles).join(', ')}`,
  )
}

function stepIn(text: string): Channel['rollout'][number] {
  const [, percent, from] = /^(\d{1,3})@(.+)$/.exec(text) ?? []
  if (percent === undefined || from === undefined || Number.isNaN(Date.parse(from)))
    throw new Refused(`--rollout: expected PERCENT@INSTANT such as 5@2026-12-01T08:00:00Z, not ${text}.`)
  return { percent: Number(percent), from: new Date(from).toISOString() }
}

function bundleIn(text: string): [string, string] {
  const [, architecture, file] = /^(\w+)=(.+)$/.exec(text) ?? []
  if (!file || !(architectures as readonly (string | undefined)[]).includes(architecture))
    throw new Refused(`--bundle: expected ARCHITECTURE=FILE with ${architectures.join(', ')}, not ${text}.`)
  return [architecture!, file]
}

function notesIn(path: string | undefined): Record<string, string> {
  if (!path) throw new Refused('Name a JSON file with --notes, such as {"en": "What is new."}.')
  return JSON.parse(readFileSync(path, 'utf8'))
}

if (import.meta.main)
  await main().catch((error: Error) => {
    console.error(error.message)
    process.exitCode = 1
  })
