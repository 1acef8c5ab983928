import { el, type View } from '../../lib/controls/el.ts'
import { numberText } from '../../lib/language/format.ts'
import { language } from '../../lib/language/language.ts'
import { t } from './texts.ts'

/** The progress of a piece of work on the box. */
export interface Shown {
  phase: string | null
  bytes: number | null
  totalBytes: number | null
  bytesPerSecond: number | null
  secondsLeft: number | null
  /** The name of each phase. */
  names: Record<string, string>
}

/** A progress bar with the bytes, the rate and the remaining time in words. */
export function progressOf({ phase, bytes, totalBytes, bytesPerSecond, secondsLeft, names }: Shown): View {
  const isKnown = bytes !== null && totalBytes !== null && phase !== 'checking'
  const words = [
    phase === null ? '' : (names[phase] ?? phase),
    isKnown ? t.value.progress(bytesText(bytes), bytesText(totalBytes)) : '',
    isKnown && bytesPerSecond ? t.value.rate(bytesText(bytesPerSecond)) : '',
    isKnown && secondsLeft !== null ? t.value.left(durationText(secondsLeft)) : '',
  ].filter(Boolean)
  return el.div(
    { class: 'stack' },
    el.progress({
      'aria-label': words[0] ?? '',
      ...(isKnown && { max: Math.max(1, totalBytes), value: bytes }),
    }),
    el.p({ class: 'quiet' }, words.join(', ')),
  )
}

function bytesText(bytes: number): string {
  return bytes < 1_000_000
    ? `${numberText(Math.ceil(bytes / 1_000))} kB`
    : `${numberText(Math.round(bytes / 100_000) / 10)} MB`
}

function durationText(seconds: number): string {
  const inMinutes = seconds >= 90
  const value = inMinutes ? Math.round(seconds / 60) : seconds
  const unit = inMinutes ? 'minute' : 'second'
  return new Intl.NumberFormat(language.value, { style: 'unit', unit, unitDisplay: 'short' }).format(value)
}
