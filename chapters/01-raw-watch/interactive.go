package main

import (
	"context"
	"errors"
	"io"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// follow is -interactive: it prints what the reader's own kubectl does, until Ctrl-C.
func follow(ctx context.Context, l *lab.Lab) error {
	l.Say("This terminal watches the ConfigMaps of %s. In another terminal, in this folder:", l.Namespace)
	kc := l.Alias()
	for _, args := range []string{
		"create configmap oolong --from-literal=cups=1", "label configmap oolong drink=tea", "delete configmap oolong",
	} {
		l.Command("%s %s", kc, args)
	}
	for {
		version, err := newest(ctx, l) // without it, the crowd of step 7 would come first
		if err != nil {
			return err
		}
		s, err := clientOf(l).Watch(ctx, configMaps(l), watch.Options{ResourceVersion: version})
		if err != nil {
			return err
		}
		err = printAll(l, s)
		s.Close()
		if !errors.Is(err, io.EOF) {
			return err
		}
		l.Conclude("The server ended the watch, as it does after 30 to 60 minutes. Watching again.")
	}
}
