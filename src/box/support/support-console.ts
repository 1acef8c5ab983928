import type { BackgroundWork, Loop } from '../../host/background-work.ts'
import type { Clock } from '../../host/clock.ts'
import { command, type WriteOptions, type Writer } from '../../resource/command.ts'
import type { Reader } from '../../resource/keeper.ts'
import { isImage, requestSupport, supportEndsAt, withdrawSupport } from './support-files.ts'

/** The support console cannot be opened or closed. The message has the reason and the remedy. */
export class SupportRefused extends Error {}

/** The command that records that the support console was opened, or closed (`endsAt` null). Unix milliseconds. */
export const noteSupport = command('box/support', (tx, { endsAt }: { endsAt: number | null }): null => {
  if (endsAt === null) tx.journal('system.support-closed', 'system')
  else tx.journal('system.support-opened', 'system', { endsAt: new Date(endsAt).toISOString() })
  return null
})

interface Options {
  /** The folder that systemd made for the daemon; undefined without the image of a box. */
  runtime: string | undefined
  clock: Clock
  background: BackgroundWork
  writer: Writer
  reader: Pick<Reader, 'text'>
}

const pauseMs = 100
/** How long root may take to open or close the console. */
const longestMs = 10_000
const lookEveryMs = 5_000
const actor = { by: 'box', requestId: null }

/** The daemon's part of the support console. */
export type SupportConsole = ReturnType<typeof supportConsole>

/**
 * The daemon's part of the support console: it requests that root opens and closes it, and records both. Root ends the
 * console after an hour, whatever the daemon does.
 */
export function supportConsole({ runtime, clock, background, writer, reader }: Options) {
  /** Whether the journal says that the console is open. */
  let isNoted = false
  let isAsked = false
  let looking: Loop | null = null

  const endsAt = () => (runtime === undefined ? null : supportEndsAt(runtime))

  function folderOfBox(): string {
    if (isImage(runtime)) return runtime
    throw new SupportRefused(
      'This machine does not run the image of a box, so it has no support console. Sign in to its own system.',
    )
  }

  async function note(ends: number | null, how: WriteOptions): Promise<void> {
    await writer.execute(noteSupport, { endsAt: ends }, how)
    isNoted = ends !== null
  }

  /** Records what root has done alone, such as closing the console after an hour, and what happened while the daemon did not run. */
  async function look(): Promise<void> {
    const ends = endsAt()
    if (!isAsked && isNoted !== (ends !== null)) await note(ends, { actor })
  }

  /** What a person asks for is recorded with the person's name. */
  async function asked(work: () => Promise<void>): Promise<void> {
    isAsked = true
    try {
      await work()
    } finally {
      isAsked = false
    }
  }

  return {
    read: () => ({ isImage: isImage(runtime), endsAt: endsAt() }),
    /**
     * Opens the console for an hour. Rejects with SupportRefused, and with the error of the writer. `how` has the actor for the
     * journal.
     */
    async open(how: WriteOptions): Promise<void> {
      const folder = folderOfBox()
      if (endsAt() !== null) throw new SupportRefused('The support console is open. Close it first.')
      await asked(async () => {
        await byRoot(folder, 'open', clock)
        try {
          await note(endsAt(), how)
        } catch (error) {
          // Without an event that says who opened it, the console stays closed.
          await byRoot(folder, 'close', clock)
          throw error
        }
      })
    },
    /** Closes the console. Rejects with SupportRefused. */
    async close(how: WriteOptions): Promise<void> {
      const folder = folderOfBox()
      if (endsAt() === null) throw new SupportRefused('The support console is not open.')
      await asked(async () => {
        await byRoot(folder, 'close', clock)
        await note(null, how)
      })
    },
    /** Follows the console of an image, until `stop`. */
    follow(): void {
      if (!isImage(runtime)) return
      const last = reader.text(
        `SELECT type FROM journal WHERE type IN ('system.support-opened', 'system.support-closed') ORDER BY sequence DESC LIMIT 1`,
      )
      isNoted = last === 'system.support-opened'
      looking = background.every('support-console', lookEveryMs, look)
      void looking.begin()
    },
    stop: () => void looking?.close(),
  }
}

/** Lets root open or close the console. Rejects with SupportRefused when that takes too long. */
async function byRoot(folder: string, action: 'open' | 'close', clock: Clock): Promise<void> {
  requestSupport(folder, action)
  const isDone = () => (supportEndsAt(folder) !== null) === (action === 'open')
  for (const end = clock.monotonic() + longestMs; !isDone(); await clock.sleep(pauseMs)) {
    if (clock.monotonic() < end) continue
    withdrawSupport(folder, action)
    throw new SupportRefused(
      `The box did not ${action} the support console within ten seconds. Restart the box, which closes it.`,
    )
  }
}
