package kind

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// ErrNoEngine is wrapped by every error that says that no Docker engine answers.
var ErrNoEngine = errors.New("no Docker engine answers")

// Engine makes sure that a Docker engine answers, and says what to do when none does.
func Engine(ctx context.Context) error {
	if _, err := exec.LookPath("docker"); err != nil {
		return fmt.Errorf("%w: there is no docker command on the PATH. Install Docker Engine, "+
			"or leave CLUSTER unset: the local control plane needs none", ErrNoEngine)
	}
	// An engine that is there answers at once; one that hangs must not hang us.
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, "docker", "info", "--format", "{{.ServerVersion}}")
	cmd.Stdout, cmd.Stderr = &said, &said
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil {
		if ctx.Err() == context.DeadlineExceeded {
			said.WriteString(" (it did not answer within 15 seconds)")
		}
		return fmt.Errorf("%w: docker info says: %s. Start the engine (sudo systemctl start docker, or Docker "+
			"Desktop), or leave CLUSTER unset: the local control plane needs none", ErrNoEngine, oneLine(said.String()))
	}
	return nil
}

func oneLine(text string) string {
	return strings.TrimRight(strings.Join(strings.Fields(text), " "), ".")
}
