/**
 * How a command failed on a line where each packet is acknowledged. `blocked`: nothing could be sent. `declined`: the
 * machine reported every copy as damaged, so none was executed. `unheard`: no ACK. `unanswered`: ACK, but no reply.
 * `garbled`: an unreadable reply. `gone`: the wire ended.
 */
export type LineFailure = 'blocked' | 'declined' | 'unheard' | 'unanswered' | 'garbled' | 'gone'

/** The text of each failure but `blocked`, whose cause depends on the machine. */
export const failureTexts: Record<Exclude<LineFailure, 'blocked'>, string> = {
  declined: 'the machine reads every copy as damaged',
  unheard: 'no confirmation',
  unanswered: 'no reply',
  garbled: 'the reply cannot be read',
  gone: 'the wire has gone',
}
