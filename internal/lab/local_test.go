package lab

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a local control plane's kubeconfig is not, is refused before anything is sent.
func TestTheKubeconfigOfALocalControlPlane(t *testing.T) {
	for name, c := range map[string]struct{ server, user, why string }{
		"as it is":        {"https://127.0.0.1:1", "{}", ""},
		"another machine": {"https://10.1.2.3:6443", "{}", "which is not on this machine"},
		"a plugin":        {"https://127.0.0.1:1", "{exec: {command: touch}}", "users.user.exec"},
	} {
		path := filepath.Join(t.TempDir(), "kubeconfig")
		text := `current-context: x
contexts: [{name: x, context: {cluster: c, user: u}}]
clusters: [{name: c, cluster: {server: "` + c.server + `"}}]
users: [{name: u, user: ` + c.user + `}]`
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		_, err := newOurs(Local, path, nil)
		if c.why == "" {
			require.NoError(t, err, name)
		} else {
			require.ErrorContains(t, err, c.why, name)
		}
	}
}
