package main

import (
	"context"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// follow is -interactive: a controller mirrors what the reader writes, until Ctrl-C.
func follow(ctx context.Context, l *lab.Lab) error {
	world, err := scenario.NewWorld(ctx, l, []string{"east-wing"})
	if err != nil {
		return err
	}
	namespace := world.Namespace("east-wing")
	l.Say("A controller of the group %s runs, and mirrors into the namespace %s. In another terminal, in this folder:",
		world.Group, namespace)
	kc := l.Alias()
	l.Command("%s create cm fig --from-literal=today=ripe", kc)
	l.Command("%s label cm fig %s=%s", kc, mirror.Role, mirror.Source)
	l.Command("%s label cm fig %s=%s", kc, mirror.Group, world.Group)
	l.Command("%s get cm fig -n %s -o yaml", kc, namespace)
	l.Command("%s delete cm fig -n %s", kc, namespace)
	l.Command("%s label ns %s %s-", kc, namespace, mirror.Group)
	control, err := world.Start(ctx, scenario.Options{})
	if err != nil {
		return err
	}
	defer control.Stop()
	for {
		if scenario.Until(ctx, control.Wrote) != nil {
			return nil // nothing but the reader ends it
		}
		control.Rest()
	}
}
