# Counts of instructions: growth fails, and equal counts pass.
# Sourced by ci/first-use.

# A count of a tenth less is a failure that names a function.
growth_fails() {
  local file="$work/counts.tsv"
  "$memonet" bench --count --only "cenju3 model" --json >"$work/counts.json" &&
    python3 - "$work/counts.json" "$file" <<'PYTHON' &&
import json, sys
report = json.load(open(sys.argv[1]))
count = report["rows"][0]["instructions"]
with open(sys.argv[2], "w") as file:
    print(f"# {report['tools']}\ncenju3 model\t{count * 0.9:.0f}\tedge", file=file)
PYTHON
    exits 1 "$memonet" bench --count --only "cenju3 model" --against "$file" >"$work/counts.said" &&
    grep -q '^FAILED: cenju3 model takes 11.[0-9] % more' "$work/counts.said" && grep -q 'grew most' "$work/counts.said"
}

if command -v valgrind >/dev/null; then
  case_of 60 "instructions that grew by a tenth are a failure" growth_fails
else
  echo "NOT RUN 60: there is no valgrind; see ci/install count"
fi
