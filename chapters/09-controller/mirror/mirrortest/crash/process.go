package crash

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"sync"

	"github.com/stretchr/testify/require"
)

// Start starts a controller in a process of its own. It ends when it is killed, by itself or by stop, which waits for
// that.
func (w *World) Start(l Life) (died <-chan struct{}, stop func()) {
	l.Kubeconfig, l.Group = w.Cluster.Kubeconfig, w.Group
	text, err := json.Marshal(l)
	require.NoError(w.t, err)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+string(text))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	require.NoError(w.t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(w.t, err)
	require.NoError(w.t, cmd.Start())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		w.listen(out)
		_ = cmd.Wait()
	}()
	stop = sync.OnceFunc(func() {
		_ = in.Close()
		<-ended
	})
	w.t.Cleanup(stop)
	return ended, stop
}

func (w *World) listen(out io.Reader) {
	for lines := bufio.NewScanner(out); lines.Scan(); {
		w.lock.Lock()
		w.writes = append(w.writes, lines.Text())
		w.lock.Unlock()
		w.tell()
	}
}

func (w *World) wrote() int {
	w.lock.Lock()
	defer w.lock.Unlock()
	return len(w.writes)
}
