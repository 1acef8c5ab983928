/**
 * Returns the lines that explain how to connect an appliance to the simulated PMS: its configuration as a command to
 * copy.
 */
export function howToSetUp(configuration: Record<string, unknown>): string[] {
  return [
    'Connect an appliance to it, here one with the sample hotel:',
    '',
    '    curl -X POST http://127.0.0.1:8080/api/config/v1/pms-configurations \\',
    "      -H 'Authorization: Bearer demo' -H 'Content-Type: application/json' \\",
    `      -d '${JSON.stringify(configuration)}'`,
    '',
  ]
}
