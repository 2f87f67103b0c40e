package kind

import (
	"bytes"
	"context"
	"os/exec"
	"time"
)

// While a cluster is made, Docker tells which containers appear for it. Their
// ids are written down at once, so that a making that is killed leaves a proof:
// a name, or a time, would be that of anybody's cluster.

// watchMaking writes down the ids of the containers that appear for the cluster
// until the function that it returns is called. An engine that does not tell
// costs a killed making its proof and nothing else: down then names the command
// that deletes the cluster.
func (c *Cluster) watchMaking(ctx context.Context) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	events := exec.CommandContext(ctx, "docker", "events", "--format", "{{.ID}}",
		"--filter", "type=container", "--filter", "event=create", "--filter", c.label())
	events.Stdout = &making{cluster: c}
	events.WaitDelay = time.Second
	if events.Start() != nil {
		return cancel
	}
	return func() {
		cancel()
		_ = events.Wait()
	}
}

// making keeps the ids that docker events prints, one a line.
type making struct {
	cluster *Cluster
	ids     []string
	line    []byte
}

func (m *making) Write(p []byte) (int, error) {
	m.line = append(m.line, p...)
	for {
		id, rest, whole := bytes.Cut(m.line, []byte("\n"))
		if !whole {
			return len(p), nil
		}
		m.line = rest
		m.ids = append(m.ids, string(bytes.TrimSpace(id)))
		if err := m.cluster.write(m.cluster.creating(), m.ids); err != nil {
			return 0, err
		}
	}
}
