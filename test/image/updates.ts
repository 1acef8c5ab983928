import { createPrivateKey, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { makeKey, publish } from '../../image/channel.ts'
import { keysForTests, type SigningKeys } from '../../image/keys.ts'
import { cache, runInTools } from '../../image/places.ts'
import { architecture } from './built.ts'
import { contentsOf } from './hotel.ts'
import type { Machine } from './machine.ts'

interface Update {
  data: {
    attributes: {
      version: string
      slot: string
      problems: string[]
      progress: { step: string; waitsFor: string | null; missing: string[] } | null
      last: { version: string; result: string; endedAt: string; reason: string | null } | null
    }
  }
}

type Ended = NonNullable<Update['data']['attributes']['last']>

interface Events {
  data: { attributes: { event: { data: Record<string, string | number | null> } } }[]
}

/** A folder from which boxes are updated, and its keys. */
export interface Channel {
  folder: string
  /** The file of the private key that signs the channel. */
  signing: string
  /** For the settings of a box. */
  publicKey: string
}

/** Makes an empty channel below the cache, with a new key. */
export function newChannel(name: string): Channel {
  const folder = join(cache, 'machines', name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  return { folder, ...newKey(`${name}.key`) }
}

/** Makes a new key of a channel below the cache. */
export function newKey(name: string): Omit<Channel, 'folder'> {
  const signing = join(cache, 'machines', name)
  rmSync(signing, { force: true })
  return { signing, publicKey: makeKey(signing) }
}

/** Offers a bundle as a version, and returns its file in the channel. */
export async function offer(
  { folder, signing }: Omit<Channel, 'publicKey'>,
  version: string,
  bundle: string,
) {
  const news = {
    ...{ channel: 'stable' as const, version, minimumVersion: '0.6.0', security: false, days: 7 },
    ...{ rollout: [], notes: { en: 'For a test.' }, bundles: { [architecture()]: bundle } },
  }
  await publish({ folder, key: createPrivateKey(readFileSync(signing)), now: Date.now() }, news)
  return join(folder, `nightporter-${version}-${architecture()}.raucb`)
}

/** Keys that no image trusts. */
export function strangeKeys(): SigningKeys {
  const folder = join(cache, 'machines', 'strange-keys')
  rmSync(folder, { recursive: true, force: true })
  return keysForTests(folder)
}

/** Makes a bundle of a megabyte that nothing can start from, signed with `keys`. RAUC looks at its signature first. */
export function smallBundle(keys: SigningKeys): string {
  const folder = join(cache, 'machines', 'small-bundle')
  const file = `${folder}.raucb`
  for (const each of [folder, file]) rmSync(each, { recursive: true, force: true })
  mkdirSync(folder)
  writeFileSync(join(folder, 'root.img'), randomBytes(1 << 20))
  const manifest = `[update]
compatible=nightporter-${architecture()}
version=0.7.0
[bundle]
format=verity
[image.rootfs]
filename=root.img
`
  writeFileSync(join(folder, 'manifest.raucm'), manifest)
  const signed = [`--cert=${keys.certificate}`, `--key=${keys.key}`, `--keyring=${keys.root}`]
  runInTools(['rauc', 'bundle', ...signed, folder, file], { quiet: true })
  return file
}

/** The updates of a box, as its interfaces say. */
export function updatesOf(box: Machine, token: string) {
  const state = async () => (await box.ask<Update>('GET', '/api/config/v1/update', token)).data.attributes
  return {
    install: () => box.ask('POST', '/api/config/v1/update/actions/install', token, {}),
    /** Waits for the end of an update, over all restarts that it takes. */
    async ended(withinMs = 5_400_000): Promise<Ended> {
      let found: unknown
      for (const end = Date.now() + withinMs; Date.now() < end; await pause(1_000)) {
        const seen = await state().catch((error: Error) => error)
        found = seen
        if (!(seen instanceof Error) && !seen.progress && seen.last) return seen.last
      }
      throw new Error(`The update has not ended; at last ${JSON.stringify(found)}`)
    },
    /** The events of updates that have ended, the oldest first. */
    async ends(): Promise<Record<string, string | number | null>[]> {
      const path = '/api/v2/events?filter[type]=system.update-finished&page[size]=100'
      return (await box.ask<Events>('GET', path, token)).data.map(({ attributes }) => attributes.event.data)
    },
    /** All that an update must not change: the identity of the box, and its hotel. */
    async kept(): Promise<string> {
      const identity = await box.shell('cat /etc/machine-id; sha256sum /var/lib/nightporter/secret.key')
      return `${identity}\n${await contentsOf(box, token)}`
    },
    slot: () => box.shell('/usr/lib/nightporter-box/boot get-current'),
    version: async () => (await state()).version,
  }
}
