import type { BoxState, RestoreWork } from './state.ts'

/** The state for a person: one line about the state, and one with the action or the running work. */
export function wordsOf(
  state: (BoxState & { isSilent: boolean }) | null,
  now: number,
): { title: string; text: string } {
  if (!state) return { title: 'Starting', text: 'The machine has started. The program has not reported yet.' }
  const { phase, since, message, trouble, restore } = state
  if (state.isSilent)
    return {
      title: 'Not answering',
      text: `The program has not reported for half a minute; before, it was ${phase}. The machine starts it again. If this stays, pull the plug and put it in again.`,
    }
  if (phase === 'running' && trouble) return { title: 'In service with limits', text: trouble }
  const work = phase === 'running' && restore ? ` ${restoreText(restore)}` : ''
  return { title: titles[phase], text: `${message || texts[phase]}${lasting(phase, now - since)}${work}` }
}

const titles: Record<BoxState['phase'], string> = {
  starting: 'Starting',
  restoring: 'Restoring a backup',
  migrating: 'Changing the data for a new version',
  checking: 'Checking the data',
  running: 'In service',
  'out-of-order': 'Out of order',
  stopping: 'Stopping',
}

const texts: Record<BoxState['phase'], string> = {
  starting: 'The program is starting.',
  restoring:
    'The backup takes the place of the data, which takes seconds. If the power fails, either the old or the restored data are complete.',
  migrating:
    'The database is copied, and then changed for the new version. This can take some minutes. Do not pull the plug.',
  checking: 'The program is checking the database.',
  running: 'Desks and kiosks can work.',
  'out-of-order': 'The data cannot be used.',
  stopping: 'The program is stopping.',
}

const worthSayingMs = 60_000

/** How long a phase lasts that should be short. */
function lasting(phase: BoxState['phase'], ms: number): string {
  if (phase === 'running' || phase === 'out-of-order' || ms < worthSayingMs) return ''
  return ` It has taken ${duration(ms / 1_000)} so far.`
}

const steps: Record<RestoreWork['step'], string> = {
  receiving: 'A backup is being uploaded',
  fetching: 'A backup is being copied to the box',
  unpacking: 'A backup is being decrypted and unpacked',
  checking: 'A backup is being checked',
}

function restoreText({ step, bytes, totalBytes, secondsLeft }: RestoreWork): string {
  if (step === 'checking') return `${steps[step]}. Nothing is replaced before a person confirms it.`
  const percent = totalBytes === 0 ? 0 : Math.floor((bytes * 100) / totalBytes)
  const left = secondsLeft === null ? '' : `, about ${duration(secondsLeft)} left`
  return `${steps[step]}: ${megabytes(bytes)} of ${megabytes(totalBytes)} MB (${percent} %)${left}. Nothing is replaced before a person confirms it.`
}

const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1)

function duration(seconds: number): string {
  if (seconds < 60) return 'less than a minute'
  const minutes = Math.round(seconds / 60)
  return minutes === 1 ? 'one minute' : `${minutes} minutes`
}
