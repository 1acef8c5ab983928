import type { Clock, Timer } from '../../host/clock.ts'
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
  writer: Writer
  reader: Pick<Reader, 'text'>
  failed(error: unknown): void
}

const pauseMs = 100
/** How long root may take to open or close the console. */
const longestMs = 10_000
const lookEveryMs = 5_000
const actor = { by: 'box', requestId: null }

export type SupportConsole = ReturnType<typeof supportConsole>

/**
 * The daemon's part of the support console: it requests that root opens and closes it, and records both. Root ends the
 * console after an hour, whatever the daemon does.
 */
export function supportConsole({ runtime, clock, writer, reader, failed }: Options) {
  /** Whether the journal says that the console is open. */
  let isNoted = false
  let looking: Timer | null = null

  const endsAt = () => (runtime === undefined ? null : supportEndsAt(runtime))

  function folderOfBox(): string {
    if (isImage(runtime)) return runtime
    throw new SupportRefused(
      'This machine does not run the image of a box, so it has no support console. Sign in to its own system.',
    )
  }

  async function until(folder: string, action: 'open' | 'close'): Promise<void> {
    requestSupport(folder, action)
    const isDone = () => (endsAt() !== null) === (action === 'open')
    for (const end = clock.monotonic() + longestMs; !isDone(); await clock.sleep(pauseMs)) {
      if (clock.monotonic() < end) continue
      withdrawSupport(folder, action)
      throw new SupportRefused(
        `The box did not ${action} the support console within ten seconds. Restart the box, which closes it.`,
      )
    }
  }

  async function note(ends: number | null, how: WriteOptions): Promise<void> {
    isNoted = ends !== null
    looking?.cancel()
    looking = ends === null ? null : clock.setInterval(look, lookEveryMs).unref()
    await writer.execute(noteSupport, { endsAt: ends }, how)
  }

  /** Records the end of a console that root has closed. */
  function look(): void {
    if (isNoted && endsAt() === null) void note(null, { actor }).catch(failed)
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
      await until(folder, 'open')
      try {
        await note(endsAt(), how)
      } catch (error) {
        // Nobody has the console without an event that says who opened it.
        isNoted = false
        looking?.cancel()
        await until(folder, 'close')
        throw error
      }
    },
    /** Closes the console. Rejects with SupportRefused. */
    async close(how: WriteOptions): Promise<void> {
      const folder = folderOfBox()
      if (endsAt() === null) throw new SupportRefused('The support console is not open.')
      await until(folder, 'close')
      await note(null, how)
    },
    /** Records what happened while the daemon did not run, and follows an open console. */
    follow(): void {
      const last = reader.text(
        `SELECT type FROM journal WHERE type IN ('system.support-opened', 'system.support-closed') ORDER BY sequence DESC LIMIT 1`,
      )
      isNoted = last === 'system.support-opened'
      const ends = endsAt()
      if (isNoted !== (ends !== null)) void note(ends, { actor }).catch(failed)
      else if (isNoted) looking = clock.setInterval(look, lookEveryMs).unref()
    },
    stop: () => looking?.cancel(),
  }
}
