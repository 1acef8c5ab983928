import { createHash } from 'node:crypto'
import { exactly } from '../jsonapi/description.ts'
import { validate } from '../jsonapi/schemas/validate.ts'
import { moment } from '../jsonapi/schemas/words.ts'
import { verified } from './minisign.ts'
import { UpdateRefused } from './update-refused.ts'
import { type ChannelName, channelNames } from './update-settings.ts'
import { compareVersions, versionForm } from './version-order.ts'

/** The hardware for which bundles are built: the last word of RAUC's `compatible`. */
export const architectures = ['amd64', 'arm64', 'pi'] as const
export type Architecture = (typeof architectures)[number]

/** A step of the roll-out: from this instant on, this percentage of all boxes may install the version. */
interface RolloutStep {
  percent: number
  from: string
}

/** A bundle. The URL may be relative to the folder of the channels. */
export interface Bundle {
  url: string
  sha256: string
  size: number
}

/** The content of `channels/NAME.json`: the newest version of a channel. Instants are ISO 8601 with an offset. */
export interface Channel {
  format: 1
  channel: ChannelName
  version: string
  published: string
  /** A box rejects the file after this instant. An attacker who withholds newer files is noticed by then. */
  expires: string
  /** An older version must be updated to this one first. */
  minimumVersion: string
  security: boolean
  /** The release notes, by language. */
  notes: Record<string, string>
  rollout: RolloutStep[]
  bundles: Partial<Record<Architecture, Bundle>>
}

const version = { type: 'string', pattern: versionForm.source }

const schema = exactly({
  format: { const: 1 },
  channel: { enum: [...channelNames] },
  version,
  published: moment,
  expires: moment,
  minimumVersion: version,
  security: { type: 'boolean' },
  notes: {
    type: 'object',
    propertyNames: { pattern: '^[a-z]{2}$' },
    additionalProperties: { type: 'string', maxLength: 4_000 },
    required: ['en'],
  },
  rollout: {
    type: 'array',
    maxItems: 20,
    items: exactly({ percent: { type: 'integer', minimum: 0, maximum: 100 }, from: moment }),
  },
  bundles: {
    type: 'object',
    propertyNames: { enum: [...architectures] },
    additionalProperties: exactly({
      url: { type: 'string', minLength: 1, maxLength: 2_000 },
      sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
      size: { type: 'integer', minimum: 1, maximum: 10_000_000_000 },
    }),
  },
})

/** The facts against which a channel file is checked. */
interface Reading {
  /** The name of the file, for messages. */
  file: string
  name: ChannelName
  keys: readonly string[]
  now: number
  /** Whether `now` is reliable. */
  isPlausible: boolean
  /**
   * The publication time of the newest file of this channel that the box has read, Unix milliseconds; null before the
   * first file.
   */
  seen: number | null
}

/**
 * Reads a channel file. Rejects with UpdateRefused when none of the keys made its signature, when it is for another
 * channel, when it has expired, and when the box has already read a newer file.
 */
export async function readChannel(
  bytes: Buffer,
  signature: string,
  { file, name, keys, now, isPlausible, seen }: Reading,
): Promise<Channel> {
  if (verified(bytes, signature, keys) === null)
    throw new UpdateRefused({ code: 'update-bad-signature', values: { file } })
  const channel = await parsed(bytes, file)
  if (channel.channel !== name) {
    const detail = `it is of the channel ${channel.channel}`
    throw new UpdateRefused({ code: 'update-unreadable', values: { file, detail } })
  }
  if (!isPlausible) throw new UpdateRefused({ code: 'update-clock', values: { file } })
  if (Date.parse(channel.expires) <= now)
    throw new UpdateRefused({ code: 'update-expired', values: { file, at: channel.expires } })
  if (seen !== null && Date.parse(channel.published) < seen)
    throw new UpdateRefused({ code: 'update-went-back', values: { file, at: channel.published } })
  return channel
}

async function parsed(bytes: Buffer, file: string): Promise<Channel> {
  try {
    const value: unknown = JSON.parse(bytes.toString())
    await validate(schema, value)
    return value as Channel
  } catch (error) {
    const detail = (error as Error).message
    throw new UpdateRefused({ code: 'update-unreadable', values: { file, detail } }, { cause: error })
  }
}

/** Throws UpdateRefused when this box cannot go from the running version to that of the channel. */
export function expectUsable(channel: Channel, running: string, architecture: string): Bundle {
  const { version, minimumVersion } = channel
  if (compareVersions(version, running) <= 0)
    throw new UpdateRefused({ code: 'update-downgrade', values: { version, running } })
  if (compareVersions(running, minimumVersion) < 0)
    throw new UpdateRefused({ code: 'update-too-old', values: { version, running, minimum: minimumVersion } })
  const bundle = Object.entries(channel.bundles).find(([name]) => name === architecture)?.[1]
  if (!bundle) throw new UpdateRefused({ code: 'update-no-bundle', values: { version, architecture } })
  return bundle
}

/** Returns the percentage of boxes that may install the version now. Without a roll-out it is 100. */
export function percentNow({ rollout }: Pick<Channel, 'rollout'>, now: number): number {
  if (rollout.length === 0) return 100
  const begun = rollout.filter(({ from }) => Date.parse(from) <= now)
  const [latest] = begun.sort((one, other) => Date.parse(other.from) - Date.parse(one.from))
  return latest?.percent ?? 0
}

/**
 * Returns the position of a box in the roll-out of a version, 0 to 99. A box may install the version when its position
 * is below the percentage.
 */
export function placeOf(boxId: string, version: string): number {
  return createHash('sha256').update(`${boxId}/${version}`).digest().readUInt32BE() % 100
}
