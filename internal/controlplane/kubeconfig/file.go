package kubeconfig

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"
)

// file is the part of a kubeconfig file that is read. sigs.k8s.io/yaml goes through JSON: hence the tags, and hence
// []byte fields arrive decoded from base64.
type file struct {
	CurrentContext string `json:"current-context"`
	Clusters       []struct {
		Name    string  `json:"name"`
		Cluster cluster `json:"cluster"`
	} `json:"clusters"`
	Users []struct {
		Name string `json:"name"`
		User user   `json:"user"`
	} `json:"users"`
	Contexts []struct {
		Name    string `json:"name"`
		Context struct {
			Cluster   string `json:"cluster"`
			User      string `json:"user"`
			Namespace string `json:"namespace"`
		} `json:"context"`
	} `json:"contexts"`
}

type cluster struct {
	Server        string `json:"server"`
	CA            string `json:"certificate-authority"`
	CAData        []byte `json:"certificate-authority-data"`
	TLSServerName string `json:"tls-server-name"`
	Insecure      bool   `json:"insecure-skip-tls-verify"`
	ProxyURL      string `json:"proxy-url"`
	dir           string // of the file it stands in: paths in it are relative to that
}

type user struct {
	Cert      string         `json:"client-certificate"`
	CertData  []byte         `json:"client-certificate-data"`
	Key       string         `json:"client-key"`
	KeyData   []byte         `json:"client-key-data"`
	Token     string         `json:"token"`
	TokenFile string         `json:"tokenFile"`
	Username  string         `json:"username"`
	As        string         `json:"as"`
	Exec      map[string]any `json:"exec"`
	Provider  map[string]any `json:"auth-provider"`
	dir       string
}

// readAll reads the files of a KUBECONFIG list as kubectl merges them: what stands first wins, a missing file of
// several does not matter.
func readAll(list string) (*file, error) {
	var all file
	var missing error
	read := 0
	for _, path := range filepath.SplitList(list) {
		if path == "" {
			continue
		}
		b, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			missing = err
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("kubeconfig: %w", err)
		}
		var f file
		if err := yaml.Unmarshal(b, &f); err != nil {
			return nil, fmt.Errorf("kubeconfig %s is neither YAML nor JSON: %w", path, err)
		}
		all.merge(f, filepath.Dir(path))
		read++
	}
	if read == 0 {
		return nil, fmt.Errorf("no kubeconfig at %s (%w): set KUBECONFIG to an existing file", list,
			cmp.Or(missing, fs.ErrNotExist))
	}
	return &all, nil
}

// merge appends f's entries after those that are there, so that a search finds the earlier file's first.
func (all *file) merge(f file, dir string) {
	for i := range f.Clusters {
		f.Clusters[i].Cluster.dir = dir
	}
	for i := range f.Users {
		f.Users[i].User.dir = dir
	}
	all.CurrentContext = cmp.Or(all.CurrentContext, f.CurrentContext)
	all.Clusters = append(all.Clusters, f.Clusters...)
	all.Users = append(all.Users, f.Users...)
	all.Contexts = append(all.Contexts, f.Contexts...)
}

// resolve follows current-context to its cluster and user.
func (all *file) resolve() (*Config, error) {
	if all.CurrentContext == "" {
		return nil, errors.New("it has no current-context: choose one with `kubectl config use-context NAME`")
	}
	for _, x := range all.Contexts {
		if x.Name != all.CurrentContext {
			continue
		}
		c := &Config{Context: x.Name, Namespace: cmp.Or(x.Context.Namespace, "default")}
		return c, all.fill(c, x.Context.Cluster, x.Context.User)
	}
	return nil, fmt.Errorf("its current-context %q is not among its contexts", all.CurrentContext)
}

// fill sets what c gets from the named cluster and user.
func (all *file) fill(c *Config, clusterName, userName string) error {
	cl, err := all.cluster(clusterName)
	if err != nil {
		return err
	}
	u, err := all.user(userName)
	if err != nil {
		return err
	}
	if c.Server, err = url.Parse(strings.TrimRight(cl.Server, "/")); err != nil || c.Server.Host == "" {
		return fmt.Errorf("cluster %q: server %q is no URL", clusterName, cl.Server)
	}
	if cl.ProxyURL != "" {
		if c.Proxy, err = url.Parse(cl.ProxyURL); err != nil {
			return fmt.Errorf("cluster %q: proxy-url: %w", clusterName, err)
		}
	}
	if c.TLS, err = tlsConfig(cl, u); err != nil {
		return fmt.Errorf("cluster %q, user %q: %w", clusterName, userName, err)
	}
	if c.Token, err = token(u); err != nil {
		return fmt.Errorf("user %q: %w", userName, err)
	}
	return nil
}

func (all *file) cluster(name string) (cluster, error) {
	for _, c := range all.Clusters {
		if c.Name == name {
			return c.Cluster, nil
		}
	}
	return cluster{}, fmt.Errorf("context %q names cluster %q, which is not there", all.CurrentContext, name)
}

// user refuses the kinds of credential this package does not handle, rather than be refused by the server later.
func (all *file) user(name string) (user, error) {
	for _, u := range all.Users {
		if u.Name != name {
			continue
		}
		for _, no := range []struct {
			used bool
			what string
		}{
			{u.User.Exec != nil, "a credential plugin (exec)"}, {u.User.Provider != nil, "an auth-provider"},
			{u.User.Username != "", "a user name and password"}, {u.User.As != "", "impersonation (as)"},
		} {
			if no.used {
				return user{}, fmt.Errorf("user %q has %s, which this repository does not handle: "+
					"use a context with a client certificate or a token", name, no.what)
			}
		}
		return u.User, nil
	}
	if name == "" {
		return user{}, nil // anonymous, as kubectl has it
	}
	return user{}, fmt.Errorf("context %q names user %q, which is not there", all.CurrentContext, name)
}

// content returns data, or what is in the file at path (relative to dir); data wins when both are given.
func content(data []byte, path, dir string) ([]byte, error) {
	if len(data) > 0 || path == "" {
		return data, nil
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	return os.ReadFile(path)
}
