/** The exit codes of the commands, from sysexits.h where it has one. Scripts and service managers rely on them. */
export const exits = {
  done: [0, 'done'],
  refused: [1, 'refused'],
  usage: [64, 'the command line is wrong'],
  data: [65, 'a file or the database is damaged, or has the wrong format'],
  missing: [66, 'not found'],
  unreachable: [69, 'the appliance cannot be reached'],
  fault: [70, 'internal error; the service manager restarts the appliance'],
  device: [74, 'a device failed'],
  later: [75, 'not possible now; try again'],
  permission: [77, 'not allowed'],
  config: [78, 'the configuration is wrong'],
} as const satisfies Record<string, readonly [number, string]>

export type Exit = keyof typeof exits

/** Ends a command. The message is for people, the exit code for scripts. */
export class CommandFailed extends Error {
  exit: Exit

  constructor(exit: Exit, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'CommandFailed'
    this.exit = exit
  }
}
