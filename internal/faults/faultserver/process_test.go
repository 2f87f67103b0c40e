package faultserver

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// from is a request over a connection from a port to the proxy's.
func from(port string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, "/api/v1/configmaps", nil)
	r.RemoteAddr = net.JoinHostPort("127.0.0.1", port)
	return r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey,
		&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080}))
}

// The process is found by the socket of its end of the connection, as Linux shows it.
func TestWhichProcessSentARequest(t *testing.T) {
	proc := t.TempDir()
	table := func(name, rows string) {
		require.NoError(t, os.MkdirAll(filepath.Join(proc, "net"), 0o700))
		head := "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
		require.NoError(t, os.WriteFile(filepath.Join(proc, "net", name), []byte(head+rows), 0o600))
	}
	const rest = " 01 00000000:00000000 00:00000000 00000000  1000        0 "
	table("tcp", ""+
		"   0: 0100007F:1F90 0100007F:9C40"+rest+"100 1 0 20\n"+ // the proxy's end
		"   1: 0100007F:9C40 0100007F:1F90"+rest+"101 1 0 20\n"+
		"   2: 0100007F:9C41 0100007F:0050"+rest+"102 1 0 20\n"+ // another server's
		"   3: 0100007F:9C42 0100007F:1F90"+rest+"0 1 0 20\n"+ // it has ended
		"   4: short\n")
	table("tcp6", "   0: 0000000000000000FFFF00000100007F:9C43 0000000000000000FFFF00000100007F:1F90"+rest+"103 1 0 20\n")
	opens := func(process, inode string) {
		folder := filepath.Join(proc, process, "fd")
		require.NoError(t, os.MkdirAll(folder, 0o700))
		require.NoError(t, os.Symlink("/dev/null", filepath.Join(folder, "0")))
		require.NoError(t, os.Symlink("socket:["+inode+"]", filepath.Join(folder, "7")))
	}
	opens("4711", "101")
	opens("4712", "103")
	opens("self", "101")
	opens("80", "100")
	p := &processes{proc: proc}
	for range 2 { // found, and remembered
		require.Equal(t, 4711, p.of(from("40000")))
		require.Equal(t, 4712, p.of(from("40003")), "a Java program")
	}
	require.Equal(t, []int{4712, 4711}, p.known)
	for _, port := range []string{"40001", "40002", "40004", "99999", "x"} {
		require.Zero(t, p.of(from(port)), port)
	}
	require.Empty(t, p.socket("127.0.0.1:40002", "127.0.0.1:8080"), "nobody has it any more")
	require.NoError(t, os.RemoveAll(filepath.Join(proc, "4711")))
	require.Zero(t, p.of(from("40000")), "it has ended")
	opens("4713", "101") // what it left to its child
	require.Equal(t, 4713, p.of(from("40000")))
	require.Zero(t, (&processes{proc: filepath.Join(proc, "none")}).of(from("40000")))
	require.Zero(t, p.of(httptest.NewRequest(http.MethodGet, "/", nil)))
}

func TestOnlyTheLastProcessesAreRemembered(t *testing.T) {
	p := &processes{}
	for n := range 3 * remembered {
		p.remember(n, len(p.known))
	}
	require.Len(t, p.known, remembered)
	require.Equal(t, 3*remembered-1, p.known[0])
}

// On Linux, this process finds itself over a real connection; elsewhere nobody is found.
func TestThisProcess(t *testing.T) {
	p := &processes{proc: "/proc"}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(strconv.Itoa(p.of(r))))
	}))
	defer server.Close()
	resp, err := server.Client().Get(server.URL)
	require.NoError(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	want := 0
	if runtime.GOOS == "linux" {
		want = os.Getpid()
	}
	require.Equal(t, strconv.Itoa(want), string(body))
}
