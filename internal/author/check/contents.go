package check

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"sync"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab/contents"
)

// Demo is what a chapter's demo says it can play, or why it does not say so.
type Demo struct {
	contents.Contents
	Err error
}

// askDemos asks each chapter's demo, two at a time. It runs them as a reader does: the go command keeps a program that
// it has linked, so that asking the second time is quick.
func (t *Tree) askDemos(ctx context.Context) map[string]Demo {
	var mu sync.Mutex
	all := map[string]Demo{}
	var asked sync.WaitGroup
	places := make(chan struct{}, 2)
	for _, chapter := range t.Chapters() {
		places <- struct{}{}
		asked.Go(func() {
			defer func() { <-places }()
			c, err := t.askDemo(ctx, chapter)
			mu.Lock()
			defer mu.Unlock()
			all[chapter] = Demo{c, err}
		})
	}
	asked.Wait()
	return all
}

func (t *Tree) askDemo(ctx context.Context, chapter string) (c contents.Contents, err error) {
	cmd := exec.CommandContext(ctx, "go", "run", "./chapters/"+chapter, "-list", "-json")
	cmd.Dir = t.Root
	out, err := cmd.Output()
	if failed := new(exec.ExitError); errors.As(err, &failed) {
		return c, fmt.Errorf("%w: %s", err, strings.Join(strings.Fields(string(append(out, failed.Stderr...))), " "))
	}
	if err != nil {
		return c, err
	}
	d := json.NewDecoder(bytes.NewReader(out))
	d.DisallowUnknownFields()
	return c, d.Decode(&c)
}
