import type { Clock } from '../host/clock.ts'
import type { Message } from '../jsonapi/locales/message.ts'
import { type Bundle, type Channel, expectUsable, percentNow, placeOf, readChannel } from './channel.ts'
import { readSmall, SourceMissing } from './source.ts'
import { saidBy, UpdateRefused } from './update-refused.ts'
import type { UpdateSettings } from './update-settings.ts'
import { compareVersions } from './version-order.ts'

/** A version that this box can install. */
export interface Offer {
  channel: Channel
  bundle: Bundle
  /** The folder or URL to which the bundle's path is relative. */
  source: string
}

interface Looking {
  settings: UpdateSettings
  clock: Clock
  running: string
  architecture: string
  /** The publication time of the newest file that the box has read, Unix milliseconds; null before the first file. */
  seen: number | null
}

/** The result of reading all sources. */
export interface Found {
  offer: Offer | null
  /** The newest channel file of all sources, even when it offers nothing for this box. */
  newest: Channel | null
  problems: Message[]
}

/** Reads the channel file of each source, and returns the newest version that this box can install. */
export async function lookForOffers(looking: Looking): Promise<Found> {
  const { from, folder, keys } = looking.settings
  if ((from ?? folder) === null || keys.length === 0)
    return { offer: null, newest: null, problems: [{ code: 'update-no-source' }] }
  const found = await Promise.all([
    ...(folder === null ? [] : [looked(folder, looking, from !== null)]),
    ...(from === null ? [] : [looked(from, looking, false)]),
  ])
  const offers = found.flatMap(({ offer }) => offer ?? [])
  const channels = found.flatMap(({ newest }) => newest ?? [])
  return {
    offer: newestOf(offers, ({ channel }) => channel.version),
    newest: newestOf(channels, ({ version }) => version),
    problems: found.flatMap(({ problems }) => problems),
  }
}

function newestOf<T>(all: T[], versionOf: (each: T) => string): T | null {
  return all.sort((one, other) => compareVersions(versionOf(other), versionOf(one)))[0] ?? null
}

async function looked(source: string, looking: Looking, mayMiss: boolean): Promise<Found> {
  const { settings, clock, running, architecture, seen } = looking
  const { channel: name, keys } = settings
  const file = `channels/${name}.json`
  let newest: Channel | null = null
  try {
    const bytes = await readSmall(source, file, clock)
    const signature = (await readSmall(source, `${file}.minisig`, clock)).toString()
    const [now, isPlausible] = [clock.now(), clock.isPlausible()]
    newest = await readChannel(bytes, signature, { file, name, keys, now, isPlausible, seen })
    if (compareVersions(newest.version, running) === 0) return { offer: null, newest, problems: [] }
    const bundle = expectUsable(newest, running, architecture)
    return { offer: { channel: newest, bundle, source }, newest, problems: [] }
  } catch (error) {
    if (error instanceof SourceMissing && mayMiss) return { offer: null, newest, problems: [] }
    const said = saidBy(error, (detail) => ({
      code: 'update-unreadable',
      values: { file, detail },
    }))
    return { offer: null, newest, problems: [said] }
  }
}

/** Whether the roll-out of an offer has reached this box. */
export function isOurTurn({ channel }: Offer, boxId: string, now: number): boolean {
  return placeOf(boxId, channel.version) < percentNow(channel, now)
}

/** Throws UpdateRefused unless the box can install an offer. */
export function expectOffer(offer: Offer | null, problems: readonly Message[], running: string): Offer {
  if (offer) return offer
  throw new UpdateRefused(problems[0] ?? { code: 'update-none', values: { running } })
}
