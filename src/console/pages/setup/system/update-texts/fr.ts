import type { UpdateTexts } from '../update-texts.ts'

export const fr: UpdateTexts = {
  running: (version, slot) =>
    slot ? `La version ${version} tourne, sur l’emplacement ${slot}.` : `La version ${version} tourne.`,
  noImage:
    'nightporter a été installé à la main sur cet ordinateur et ne peut donc pas se mettre à jour lui-même. Arrêtez le programme, remplacez son dossier par le nouveau, et redémarrez-le.',
  newest: 'Aucune version plus récente n’est connue.',
  available: (version) => `La version ${version} est disponible`,
  security: 'Sécurité',
  later: 'Plus tard',
  install: 'Mettre à jour maintenant ...',
  check: 'Chercher des mises à jour',
  checkedAt: (at) => `Dernière recherche : ${at}`,
  heldUntil: (at) => `Reporté jusqu’au ${at}`,
  resume: 'Ne plus reporter',
  notOurTurn: (percent) =>
    `${percent} % des appareils la reçoivent d’abord, et celui-ci n’en fait pas partie. Vous pouvez l’installer quand même.`,
  automatic: {
    none: 'L’appareil n’installe rien de lui-même.',
    security: (window) => `L’appareil installe de lui-même les mises à jour de sécurité, entre ${window}.`,
    all: (window) => `L’appareil installe de lui-même les mises à jour, entre ${window}.`,
  },
  dialog: (version) => `Mise à jour vers la version ${version}`,
  how: 'L’appareil charge la nouvelle version, fait une sauvegarde, et redémarre pendant deux ou trois minutes quand aucune carte n’est en route et aucun client à la borne. Si la nouvelle version ne fonctionne pas avec vos appareils et vos données, l’ancienne tourne à nouveau d’elle-même.',
  restartNow: 'Redémarrer dès que possible',
  restartAtNight: (window) => `Redémarrer entre ${window}`,
  withoutBackup: 'Sans sauvegarde (seulement pour un appareil sans clé de récupération)',
  begin: 'Commencer',
  underWay: (version) => `Mise à jour vers la version ${version}`,
  steps: {
    downloading: 'Charger et vérifier',
    'backing-up': 'Faire une sauvegarde',
    installing: 'Installer',
    installed: 'Attendre un moment calme',
    restarting: 'Redémarrer',
    trial: 'Essayer la nouvelle version',
  },
  lacks: 'Il manque encore à l’essai :',
  keep: 'Garder quand même la nouvelle version',
  results: {
    confirmed: (version, at) => `La mise à jour vers la version ${version} a réussi le ${at}.`,
    'rolled-back': (version, at) =>
      `La mise à jour vers la version ${version} a été annulée le ${at}. L’ancienne version tourne à nouveau avec toutes les données.`,
    failed: (version, at) => `La mise à jour vers la version ${version} a échoué le ${at}.`,
  },
}
