/** Why a line stays closed, and what a person can do about it. */
export type LineTroubleCode = 'equal-devices' | 'device-moved' | 'line-shared'

/** A line is kept closed, or does not work, for a reason that is neither the power nor the cable of its device. */
export class LineTrouble extends Error {
  override name = 'LineTrouble'
  readonly code: LineTroubleCode
  /** The values of the sentence for the staff. */
  readonly values: Readonly<Record<string, string | number>>

  constructor(
    code: LineTroubleCode,
    message: string,
    values: Readonly<Record<string, string | number>>,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.code = code
    this.values = values
  }
}
