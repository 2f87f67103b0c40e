package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/local"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// What a step sees of a server's death is a connection that broke, or an answer that makes no sense. The reader hears
// which server died, also when the step fails before anybody can have noticed. The demo has a control plane of its own,
// or joins one that lasts as long as the test.
func TestAServerDiesInAStep(t *testing.T) {
	testkit.Needs(t, testkit.RestartServer)
	for _, server := range []plane.Component{plane.KubeAPIServer, plane.Etcd} {
		t.Run(string(server)+" of its own", func(t *testing.T) {
			t.Setenv(local.SharedEnv, "")
			t.Setenv(plane.StateEnv, t.TempDir()) // in which no control plane is found
			playDeath(t, server)
		})
		t.Run(string(server)+" of another program", func(t *testing.T) {
			t.Setenv(local.SharedEnv, Private(t).Kubeconfig)
			playDeath(t, server)
		})
	}
}

// playDeath plays a demo whose step kills a server of its control plane and fails.
func playDeath(t *testing.T, server plane.Component) {
	t.Helper()
	var out bytes.Buffer
	code := lab.Run(t.Context(), lab.Demo{Chapter: "99-test", Title: "a death", Steps: []lab.Step{{
		Title: "One", Why: "Because.", Run: func(_ context.Context, l *lab.Lab) error {
			killServer(t, l.Instance, server)
			return errors.New("a step that fails at once, while the API server may still answer")
		},
	}}}, nil, strings.NewReader(""), &out)
	require.Equal(t, 1, code, out.String())
	said := strings.Join(strings.Fields(out.String()), " ")
	require.Contains(t, said, "the API server went away", out.String())
	require.Contains(t, said, string(server)+" ended by itself (signal: killed)", out.String())
}

// killServer is kill -9 of a server of the control plane, which its supervisor names.
func killServer(t *testing.T, i *local.Instance, server plane.Component) {
	t.Helper()
	conn, err := net.Dial("unix", filepath.Join(i.Dir, plane.RunControl))
	require.NoError(t, err)
	defer conn.Close()
	require.NoError(t, json.NewEncoder(conn).Encode(plane.Request{Op: plane.OpStatus}))
	var reply plane.Reply
	require.NoError(t, json.NewDecoder(conn).Decode(&reply))
	require.Greater(t, reply.Processes[server], 1)
	require.NoError(t, syscall.Kill(reply.Processes[server], syscall.SIGKILL))
}
