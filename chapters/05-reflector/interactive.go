package main

import (
	"context"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// follow is -interactive: a store follows what the reader does, until Ctrl-C.
func follow(ctx context.Context, l *lab.Lab) error {
	l.Say("This terminal shows what a reflector tells its store of the ConfigMaps of %s with a label shop, "+
		"lunch being one. In another terminal, in this folder:", l.Namespace)
	kc := l.Alias()
	l.Command("%s create cm fig", kc)
	l.Command("%s label cm fig shop=open", kc)
	l.Command("%s label cm fig shop-", kc)
	l.Command("%s delete cm fig", kc)
	s, err := both[0].aloud(l, scenario.Mishap{}).Start(ctx)
	if err != nil {
		return err
	}
	defer s.Stop()
	<-ctx.Done() // nothing but the reader ends it
	return nil
}
