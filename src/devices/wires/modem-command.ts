/** Whether a text contains a modem command, such as `AT+CGMI` and its end of line: another program asks for a modem. */
export function isModemCommand(text: string): boolean {
  return /(^|[^A-Za-z0-9])AT([+&]?[A-Z][\w+=?&,"]*)?[\r\n]/.test(text)
}
