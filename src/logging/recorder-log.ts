import type { Config } from '../config.ts'
import type { Log } from '../host/log.ts'
import { flightRecorder, type Recorder, type RecorderOptions } from '../recorder/recorder.ts'

/**
 * Opens the recorder of a data folder, and logs when it stops and continues. Returns null when recording is
 * switched off.
 */
export async function recorderOf(
  { data, recorderMegabytes }: Config,
  { clock, background, log }: Pick<RecorderOptions, 'clock' | 'background'> & { log: Log },
): Promise<Recorder | null> {
  if (recorderMegabytes === 0) return null
  return flightRecorder({
    data,
    bytes: recorderMegabytes * 1_048_576,
    clock,
    background,
    stopped: (err) =>
      log.warn({ err }, 'the recorder cannot write and has stopped; it is retried every minute'),
    resumed: (lost) => log.warn({ lost }, 'the recorder writes again'),
  })
}
