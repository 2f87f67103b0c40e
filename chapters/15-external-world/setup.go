package main

import (
	"context"
	"fmt"
	"os"
	"strconv"

	owning "github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// tour is what the steps share.
type tour struct {
	commands []string
	root     bool // it has not been said yet that this is root
}

// under has a controller run the Processes of a machine, while something else is done. Whatever comes of that, no
// process is left.
func (t *tour) under(ctx context.Context, l *lab.Lab, life scenario.Life,
	do func(*scenario.World, *scenario.Controller) error) (err error) {
	w, err := t.world(ctx, l)
	if err != nil {
		return err
	}
	defer func() {
		if closed := w.Close(ctx); err == nil {
			err = closed
		}
	}()
	c, err := w.Begin(ctx, life)
	if err != nil {
		return err
	}
	return do(w, c)
}

// world is a machine without a controller.
func (t *tour) world(ctx context.Context, l *lab.Lab) (*scenario.World, error) {
	if t.root {
		l.Say("This program runs as root, and so does each process that it starts.")
		t.root = false
	}
	return scenario.NewWorld(ctx, l, t.commands)
}

// became shows what a status says.
func became(l *lab.Lab) func(string) { return func(line string) { l.Became("%s", line) } }

// family shows a process, its parent, and the parent's parent, as ps has them.
func family(l *lab.Lab, pid int, names ...string) {
	rows := [][]string{{"", "pid", "parent"}}
	for _, name := range names {
		row, ok := scenario.PS(pid)
		if !ok {
			break
		}
		rows = append(rows, []string{name, strconv.Itoa(row.PID), strconv.Itoa(row.Parent)})
		pid = row.Parent
	}
	l.Table(rows...)
}

// seen is what the machine has of a Process that runs.
func seen(w *scenario.World, t *scenario.Track) (machine.Seen, error) {
	s, err := w.Machine.Look(t.Now.UID)
	if err == nil && s.State != machine.Running {
		err = fmt.Errorf("%s does not run on the machine", t.Now.Name)
	}
	return s, err
}

// goes waits until a pid is nobody's.
func goes(ctx context.Context, pid int) error {
	return owning.Until(ctx, func() bool {
		_, there := scenario.PS(pid)
		return !there
	})
}

// file makes a file in a folder.
func file(path, content string, mode os.FileMode) (string, error) {
	return path, os.WriteFile(path, []byte(content), mode)
}
