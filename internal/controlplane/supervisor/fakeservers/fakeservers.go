// Package fakeservers plays etcd, kube-apiserver and kube-controller-manager for tests of how they are started, watched
// and ended: processes that take the same flags, answer the same health checks, and do nothing. A control plane of them
// starts in a fifth of a second.
package fakeservers

import (
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// folder is the name of the folder whose links make a process one of the servers.
const folder = "fake-servers"

// Main is to be called first in TestMain. When this process was started as one of the servers it plays it and does not
// return.
func Main() {
	dir, name := filepath.Split(os.Args[0])
	if filepath.Base(dir) != folder {
		return
	}
	if len(os.Args) == 2 && os.Args[1] == "--help" {
		fmt.Println("      --unsafe-no-fsync")
		os.Exit(0)
	}
	if text, err := os.ReadFile(filepath.Join(dir, name+".fails")); err == nil {
		fmt.Fprintln(os.Stderr, strings.TrimSpace(string(text)))
		os.Exit(1)
	}
	if _, err := os.Stat(filepath.Join(dir, name+".hangs")); err == nil {
		os.WriteFile(filepath.Join(dir, name+".is-hanging"), nil, 0o600)
		select {}
	}
	flags := map[string]string{}
	for _, arg := range os.Args[1:] {
		flag, value, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		flags[flag] = value
	}
	var err error
	switch name {
	case "etcd":
		err = etcd(flags)
	case "kube-apiserver":
		err = apiServer(flags)
	case "kube-controller-manager":
		select {}
	}
	fmt.Fprintln(os.Stderr, "Error:", err)
	os.Exit(1)
}

// Assets returns a new folder of servers. Each process that is started from it calls this binary's TestMain.
func Assets(t testing.TB) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), folder)
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"etcd", "kube-apiserver", "kube-controller-manager"} {
		if err := os.Symlink(self, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Fail makes the server of the folder print text and exit with code 1 when it is started.
func Fail(t testing.TB, assets, server, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(assets, server+".fails"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Hang makes the server of the folder never answer when it is started. The file that it returns appears when it hangs.
func Hang(t testing.TB, assets, server string) (sign string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(assets, server+".hangs"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(assets, server+".is-hanging")
}

// etcd listens where the real one does: for clients on the URL's host and path, for its peers on the host alone.
// It reads variables as the real one does, which only a test can want of it.
func etcd(flags map[string]string) error {
	for _, variable := range os.Environ() {
		if strings.HasPrefix(variable, "ETCD_") {
			return fmt.Errorf("conflicting environment variable %q", variable)
		}
	}
	client, err := url.Parse(flags["listen-client-urls"])
	if err != nil {
		return err
	}
	peer, err := url.Parse(flags["listen-peer-urls"])
	if err != nil {
		return err
	}
	for _, name := range []string{client.Host + client.Path, peer.Host} {
		if _, err := net.Listen("unix", name); err != nil {
			return err
		}
	}
	metrics, err := url.Parse(flags["listen-metrics-urls"])
	if err != nil {
		return err
	}
	return http.ListenAndServe(metrics.Host, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, "# fake")
	}))
}

// apiServer answers health checks, its version, and watches: what is asked for is there, and is deleted when it was
// created before.
func apiServer(flags map[string]string) error {
	certs := flags["cert-dir"]
	pair, err := tls.LoadX509KeyPair(filepath.Join(certs, "apiserver.crt"), filepath.Join(certs, "apiserver.key"))
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", net.JoinHostPort(flags["bind-address"], flags["secure-port"]))
	if err != nil {
		return err
	}
	server := &http.Server{
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{pair}},
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.URL.Path == "/version":
				json.NewEncoder(w).Encode(map[string]string{"gitVersion": "v0.0.0-fake"})
			case r.URL.Query().Get("watch") == "":
				fmt.Fprintln(w, `{"metadata": {"resourceVersion": "7"}}`)
			case r.URL.Query().Get("resourceVersion") != "":
				fmt.Fprintln(w, `{"type": "DELETED"}`)
			default:
				fmt.Fprintln(w, `{"type": "ADDED"}`)
			}
		}),
	}
	return server.ServeTLS(l, "", "")
}
