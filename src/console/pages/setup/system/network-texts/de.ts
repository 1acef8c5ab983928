import type { NetworkTexts } from '../network-texts.ts'

export const de: NetworkTexts = {
  notAnImage: 'Auf dieser Maschine läuft nicht das Image einer Box. Ihr eigenes System stellt das Netz ein.',
  why: 'Eine Änderung gilt zwei Minuten auf Probe. Wenn Sie sie nicht an der neuen Adresse behalten, nimmt die Box sie zurück; so sperrt kein Fehler Sie aus.',
  address: 'Adresse',
  addressHint: 'dhcp, oder eine Adresse wie 192.168.1.10/24',
  gateway: 'Gateway',
  gatewayHint: 'Leer ohne Gateway: Die Box erreicht dann nur ihr eigenes Netz.',
  dns: 'Nameserver',
  dnsHint: 'Adressen, durch Leerzeichen getrennt. Mit dhcp gibt das Netz sie vor.',
  change: 'Dieses Netz erproben',
  underWay: 'Das Netz wird geändert. Wenn diese Seite stumm bleibt, öffnen Sie die neue Adresse.',
  openThere: 'Öffnen Sie die Seite an der neuen Adresse, und behalten Sie das Netz dort:',
  lookAtScreen:
    'Die Box holt ihre Adresse jetzt aus dem Netz. Ihr Bildschirm zeigt sie: Öffnen Sie die Seite dort.',
  keep: 'Dieses Netz behalten',
  onTrial: (time) => `Ein neues Netz ist bis ${time} auf Probe.`,
  results: {
    kept: 'Das neue Netz gilt.',
    undone: 'Die Änderung wurde zurückgenommen, weil sie nicht innerhalb von zwei Minuten behalten wurde.',
  },
}
