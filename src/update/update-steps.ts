import { join } from 'node:path'
import type { Message } from '../jsonapi/locales/message.ts'
import { isBefore } from './after-start.ts'
import { bustle, isInWindow } from './quiet.ts'
import { addressOf, download, expectWhole, isUrl } from './source.ts'
import { guestMs, missingInTrial, trialMs } from './trial.ts'
import { finish, keep, move, saidOf, type UpdateBox } from './update-box.ts'
import { saidBy, UpdateRefused } from './update-refused.ts'
import type { Job, Said, Step } from './update-state.ts'

/**
 * Runs one step. Resolves with true when the job's next step can start at once, with false when the update must wait.
 */
type CarryOut = (box: UpdateBox, job: Job) => Promise<boolean>

const carryOut: Record<Step, CarryOut> = {
  downloading,
  'backing-up': backUp,
  installing: install,
  installed: restart,
  restarting: requestAgain,
  trial,
}

/**
 * Runs the steps of the job until one must wait or the job ends. An error before the restart ends the job, and the
 * running version is unchanged.
 */
export async function advance(box: UpdateBox): Promise<void> {
  for (let { job } = box.state; job; { job } = box.state) {
    try {
      if (!(await carryOut[job.step](box, job))) return
    } catch (error) {
      if (box.ending.aborted) return
      if (!(error instanceof UpdateRefused)) box.failed(error)
      if (!isBefore(job.step, 'installed')) return
      const otherwise = (detail: string): Message => ({ code: 'update-rauc-failed', values: { detail } })
      await finish(box, box.state.job ?? job, 'failed', [saidBy(error, otherwise)])
    }
  }
}

/** Returns the path of the job's bundle: the download, or the file on the stick. */
function fileOf({ files }: UpdateBox, { source, bundle }: Job): string {
  const { url, sha256 } = bundle!
  return isUrl(source) || isUrl(url) ? files.bundleOf(sha256) : join(source, url)
}

async function downloading(box: UpdateBox, job: Job): Promise<boolean> {
  const { source, bundle } = job
  const path = fileOf(box, job)
  const { clock, ending: signal, settings, files, freeBytes } = box
  if (bundle && path === files.bundleOf(bundle.sha256)) {
    files.removeBundles(bundle.sha256)
    const bytesPerSecond = settings.kilobytesPerSecond && settings.kilobytesPerSecond * 1_000
    const progress = (bytes: number) => {
      box.percent = Math.floor((bytes / bundle.size) * 100)
    }
    const how = { clock, signal, bytesPerSecond, freeBytes, progress }
    await download(addressOf(source, bundle.url), path, bundle, how)
  } else await expectWhole(path, bundle!)
  move(box, job, { step: job.withoutBackup ? 'installing' : 'backing-up' })
  return true
}

async function backUp(box: UpdateBox, job: Job): Promise<boolean> {
  if (box.backups.isUnderWay()) {
    box.waits = { code: 'update-waits-backup' }
    return false
  }
  try {
    await box.backups.make('update', { actor: { by: job.by ?? 'update', requestId: null } })
  } catch (error) {
    const detail = (error as Error).message
    throw new UpdateRefused({ code: 'update-backup', values: { detail } }, { cause: error })
  }
  move(box, job, { step: 'installing' })
  return true
}

async function install(box: UpdateBox, job: Job): Promise<boolean> {
  const progress = (percent: number) => {
    box.percent = percent
  }
  // RAUC's service may still run an installation that an earlier run of this program began. The step waits for it, then
  // begins again.
  if (!(await box.rauc.install(fileOf(box, job), { signal: box.ending, progress }))) {
    box.waits = { code: 'update-waits-rauc' }
    return false
  }
  box.slots = await box.rauc.slots()
  if (!box.slots || box.slots.primary === box.slots.booted)
    throw new UpdateRefused({ code: 'update-not-armed' })
  box.files.removeBundles()
  move(box, job, { step: 'installed', slot: box.slots.primary, devices: await box.devices() })
  return true
}

/** Requests the restart when no guest is being served, and in the quiet window if the job requires it. */
async function restart(box: UpdateBox, job: Job): Promise<boolean> {
  const { clock, settings, zone, machine } = box
  const [from = '', to = ''] = settings.window.split('-')
  box.waits =
    job.inWindow && !isInWindow(settings.window, clock.now(), zone())
      ? { code: 'update-waits-window', values: { from, to } }
      : bustle(box.bustle, clock.monotonic())
  if (box.waits) return false
  move(box, job, { step: 'restarting', devices: await box.devices() })
  box.files.requestRestart(machine.bootId())
  return false
}

async function requestAgain(box: UpdateBox): Promise<boolean> {
  box.waits = { code: 'update-waits-restart' }
  box.files.requestRestart(box.machine.bootId())
  return false
}

/** Checks the trial. Confirms the new version when no condition is missing. Gives it up ten minutes after the boot. */
async function trial(box: UpdateBox, job: Job): Promise<boolean> {
  const overMs = box.machine.uptimeMs() - trialMs
  box.waits = overMs >= 0 && overMs < guestMs ? bustle(box.bustle, box.clock.monotonic()) : null
  if (overMs >= 0 && !box.waits) {
    // Any restart ends the trial, so the restart is requested even when RAUC does not answer.
    await box.rauc.markBad().catch(box.failed)
    box.files.requestRestart(box.machine.bootId())
    return false
  }
  const missing = await stillMissing(box, job)
  // A person may have confirmed it meanwhile.
  if (box.state.job?.id !== job.id) return false
  if (missing.length === 0) await finish(box, job, 'confirmed', [])
  else if (JSON.stringify(missing) !== JSON.stringify(job.missing)) keep(box, { job: { ...job, missing } })
  return false
}

/** Returns the missing conditions. Confirms the trial when there are none. */
async function stillMissing(box: UpdateBox, { devices }: Pick<Job, 'devices'>): Promise<Said[]> {
  const missing = (await missingInTrial(devices, box.trial)).map(saidOf)
  if (missing.length > 0) return missing
  return confirmed(box)
}

/** Confirms the running slot. Returns the reason when that fails; empty after success. */
export async function confirmed(box: UpdateBox): Promise<Said[]> {
  try {
    await box.rauc.markGood()
    return []
  } catch (error) {
    return [saidOf(saidBy(error, (detail) => ({ code: 'update-rauc-failed', values: { detail } })))]
  }
}

/**
 * Checks a trial that began without this program, such as by `rauc install` at a console. Resolves with true when it is
 * confirmed.
 */
export async function confirmStrange(box: UpdateBox): Promise<boolean> {
  return (await stillMissing(box, { devices: [] })).length === 0
}
