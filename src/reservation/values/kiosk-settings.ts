import { invalidValue } from '../../resource/problem.ts'
import { contrastWithWhite, textContrast } from '../../resource/values/contrast.ts'

/** What the house sets for the looks of its kiosks. A member that is absent or null is not set. */
export interface KioskSettings {
  /** `#14595f`. */
  accentColor?: string | null
  /** Where the card comes out, and where the payment terminal is, as a guest sees it who stands before the screen. */
  cardSlot?: 'left' | 'right' | 'below' | null
  terminal?: 'left' | 'right' | 'below' | null
  lift?: string | null
  breakfast?: string | null
  wifi?: string | null
}

const place = (what: string) => ({
  type: ['string', 'null'],
  enum: ['left', 'right', 'below', null],
  description: `Where ${what} is, as a guest sees it who stands before the screen.`,
})
const fact = (what: string) => ({
  type: ['string', 'null'],
  maxLength: 120,
  description: `What each guest reads about ${what} beside the room number, in every language as it is here.`,
})

/** The schema of the settings of the kiosks. */
export const kioskSettings = {
  type: 'object',
  properties: {
    accentColor: {
      type: ['string', 'null'],
      pattern: '^#[0-9A-Fa-f]{6}$',
      $comment: 'a colour (#RRGGBB)',
      description:
        'The colour of the house, such as `#14595f`. Its contrast with white is 4.5 to 1 at least.',
    },
    cardSlot: place('the slot of the cards'),
    terminal: place('the payment terminal'),
    lift: fact('the way to the room'),
    breakfast: fact('breakfast'),
    wifi: fact('the Wi-Fi'),
  },
  additionalProperties: false,
}

/** Throws validation-failed for a colour on which white text cannot be read. The detail names the contrast. */
export function expectReadableAccent(kiosk: KioskSettings | null): void {
  const color = kiosk?.accentColor
  if (!color) return
  const contrast = contrastWithWhite(color)
  if (contrast >= textContrast) return
  // Rounded down: 4.499 is not shown as enough.
  const ratio = (Math.floor(contrast * 100) / 100).toFixed(2)
  throw invalidValue(
    '/kiosk/accentColor',
    `The contrast of ${color} with white is ${ratio} to 1, and must be ${textContrast} to 1 at least: guests read white text on this colour. Choose a darker colour.`,
    { expected: 'colour with a contrast of 4.5 to 1 with white at least', contrast: Number(ratio) },
  )
}
