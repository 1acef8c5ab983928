import { randomInt } from 'node:crypto'
import { VaultRefused } from '../../host/vault.ts'
import type { Workshop } from '../controllers/workshop.ts'
import type { AccessController } from '../resources/access-controller.ts'

/** What the PINs of a controller are made of. */
interface PinRules {
  length: number
  /** The digits there are. */
  alphabet: string
  /** What no PIN may contain: years of birth, the number of the room. */
  avoid: readonly string[]
}

/** A PIN as it is kept: nobody reads it out of the store alone. */
export interface SealedPin {
  /** Opened by the vault. */
  sealed: string
  /** By which the same PIN is found again. */
  mark: string
  /** What everybody may see: its last two digits. */
  shown: string
}

/** What the vault is asked for PINs with. */
const context = 'key-pin'
/** Digits that keypads of every lock system take. */
const anyDigit = '123456789'
const mostTries = 1_000

export function pinRules(controller: AccessController, unitName: string | null): PinRules {
  const { pinLength, pinAlphabet, pinAvoid } = controller
  const digits = (unitName ?? '').replace(/\D/g, '')
  return {
    length: pinLength ?? 6,
    alphabet: pinAlphabet ?? anyDigit,
    avoid: [...(pinAvoid ?? []), ...(digits.length > 1 ? [digits] : [])],
  }
}

/**
 * That many random PINs by the rules, none of which a stranger would try first; fewer when the rules leave no more.
 */
export function makePins(count: number, rules: PinRules): string[] {
  const found = new Set<string>()
  for (let tries = 0; tries < mostTries && found.size < count; tries++) {
    const pin = Array.from({ length: rules.length }, () => rules.alphabet[randomInt(rules.alphabet.length)])
    if (!isEasy(pin.join(''), rules)) found.add(pin.join(''))
  }
  return [...found]
}

/** Lock systems refuse such PINs, or guests of other rooms guess them. */
export function isEasy(pin: string, { avoid }: Pick<PinRules, 'avoid'>): boolean {
  if (pin.startsWith('12')) return true
  if (new Set(pin).size < 3) return true
  if (avoid.some((part) => part !== '' && pin.includes(part))) return true
  const steps = [...pin].slice(1).map((digit, index) => Number(digit) - Number(pin[index]))
  return steps.some((step, index) => index > 0 && step === steps[index - 1] && Math.abs(step) <= 1)
}

export function sealPin({ seal, mark }: Pick<Workshop, 'seal' | 'mark'>, pin: string): SealedPin {
  return {
    sealed: seal(pin, context),
    mark: markOf({ mark }, pin),
    shown: pin.slice(-2).padStart(pin.length, '*'),
  }
}

/** Null when the box has lost the key it was sealed with: one PIN that nobody can read is in nobody else's way. */
export function pinOrNull({ unseal }: Pick<Workshop, 'unseal'>, sealed: string): string | null {
  try {
    return unseal(sealed, context)
  } catch (error) {
    if (error instanceof VaultRefused) return null
    throw error
  }
}

export function markOf({ mark }: Pick<Workshop, 'mark'>, pin: string): string {
  return mark(pin, context)
}
