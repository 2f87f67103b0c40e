package grader

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"sync"
)

// test2json is the path of the program that `go test -json` uses to read a test's output.
var test2json = sync.OnceValues(func() (string, error) {
	// Built on first use. Its path is stable, so that it need not be looked up for each exercise.
	cmd := exec.Command("go", "tool", "-n", "test2json")
	var err error
	if cmd.Env, err = goEnvironment(context.Background()); err != nil {
		return "", err
	}
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go tool test2json: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
})
