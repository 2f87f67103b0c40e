package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// refuse is step 4: commands that end at once, or can't be started.
func (t *tour) refuse(ctx context.Context, l *lab.Lab) error {
	dir, err := os.MkdirTemp("", "scratch-programs-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	text, err := file(filepath.Join(dir, "notes.txt"), "no program", 0o644)
	if err != nil {
		return err
	}
	script, err := file(filepath.Join(dir, "script"), "echo hello\n", 0o755) // without #!, no shell is asked to try
	if err != nil {
		return err
	}
	return t.under(ctx, l, scenario.Life{}, func(w *scenario.World, c *scenario.Controller) error {
		rows := [][]string{{"command", "phase", "exit", "Stalled", "because"}}
		for i, of := range []struct {
			what    string
			command []string
		}{
			{"true", []string{"true"}},
			{"sh -c 'exit 7'", []string{"sh", "-c", "exit 7"}},
			{"no-such-program", []string{"no-such-program"}},
			{"a text file", []string{text}},
			{"a folder", []string{dir}},
			{"a script without #!", []string{script}},
		} {
			row, err := t.outcome(ctx, w, fmt.Sprintf("try-%d", i), of.command)
			if err != nil {
				return err
			}
			rows = append(rows, append([]string{of.what}, row...))
		}
		l.Table(rows...)
		l.Conclude("A program that has failed is one thing, a program that can't be started another: no restart makes a file " +
			"executable. Then Stalled is true, which means that somebody has to do something, and nothing is tried again " +
			"until the object is changed.")
		return nil
	})
}

// outcome is what comes of a command that is not restarted, as a row.
func (t *tour) outcome(ctx context.Context, w *scenario.World, name string, command []string) ([]string, error) {
	p := w.Process(name, command[0], command[1:]...)
	p.Spec.RestartPolicy = v1alpha1.RestartNever
	track, err := w.Track(ctx, p, func(string) {})
	if err != nil {
		return nil, err
	}
	if err := track.Until(ctx, func(p *v1alpha1.Process) bool {
		return p.Status.Phase == v1alpha1.PhaseFailed || p.Status.Phase == v1alpha1.PhaseSucceeded
	}); err != nil {
		return nil, err
	}
	status, exit := track.Now.Status, ""
	if status.ExitCode != nil {
		exit = scenario.Number(*status.ExitCode)
	}
	stalled := meta.FindStatusCondition(status.Conditions, v1alpha1.ConditionStalled)
	if stalled == nil {
		return nil, fmt.Errorf("%s has no condition Stalled", name)
	}
	return []string{string(status.Phase), exit, string(stalled.Status), because(stalled.Message, command[0])}, nil
}

// because is the part of a message that says why: between the program's name and what else there is to say.
func because(message, command string) string {
	if _, after, ok := strings.Cut(message, command+": "); ok {
		message = after
	} else if _, after, ok := strings.Cut(message, strconv.Quote(command)+": "); ok {
		message = after
	}
	if _, after, ok := strings.Cut(message, command+": "); ok {
		message = after
	} else if _, after, ok := strings.Cut(message, strconv.Quote(command)+": "); ok {
		message = after
	}
	why, _, _ := strings.Cut(message, ": ")
	return why
}
