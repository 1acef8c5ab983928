// SPDX-License-Identifier: GPL-2.0
/*
 * Hands the word "tryboot" of a restart to the firmware of a Raspberry Pi, as the kernel of Raspberry Pi does and the one
 * of kernel.org does not: `reboot "0 tryboot"` then starts the other slot once.
 */
#include <linux/module.h>
#include <linux/of.h>
#include <linux/reboot.h>
#include <linux/string.h>
#include <soc/bcm2835/raspberrypi-firmware.h>

/* RPI_FIRMWARE_SET_REBOOT_FLAGS, which the header does not have. */
#define SET_REBOOT_FLAGS ((enum rpi_firmware_property_tag)0x00038064)
#define FLAG_TRYBOOT 1

static struct rpi_firmware *firmware;

static int hand_over(struct notifier_block *block, unsigned long action, void *command)
{
	__le32 flags = cpu_to_le32(FLAG_TRYBOOT);
	int error;

	if (action != SYS_RESTART || !command)
		return NOTIFY_DONE;
	if (strcmp(command, "tryboot") && strcmp(command, "0 tryboot"))
		return NOTIFY_DONE;
	error = rpi_firmware_property(firmware, SET_REBOOT_FLAGS, &flags, sizeof(flags));
	if (error)
		pr_err("the firmware takes no tryboot (%d): the next start is the one of every start\n", error);
	return NOTIFY_OK;
}

static struct notifier_block notifier = { .notifier_call = hand_over };

static int __init start(void)
{
	struct device_node *node = of_find_compatible_node(NULL, NULL, "raspberrypi,bcm2835-firmware");
	int error;

	if (!node)
		return -ENODEV;
	firmware = rpi_firmware_get(node);
	of_node_put(node);
	if (!firmware)
		return -EPROBE_DEFER;
	error = register_reboot_notifier(&notifier);
	if (error)
		rpi_firmware_put(firmware);
	return error;
}

static void __exit end(void)
{
	unregister_reboot_notifier(&notifier);
	rpi_firmware_put(firmware);
}

module_init(start);
module_exit(end);
MODULE_DESCRIPTION("Hands tryboot to the firmware of a Raspberry Pi at a restart");
MODULE_LICENSE("GPL");
