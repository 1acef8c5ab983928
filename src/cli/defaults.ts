/** The default URL of the appliance and the default token of the commands, and the variables that give others. */
export const defaultUrl = 'http://127.0.0.1:8080'
export const defaultToken = 'demo'
export const tokenVariable = 'NIGHTPORTER_TOKEN'
export const urlVariable = 'NIGHTPORTER_URL'
